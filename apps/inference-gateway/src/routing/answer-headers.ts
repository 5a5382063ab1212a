/** Headers that tell who answered, and at which try. */
export function targetHeaders(
  upstream: string,
  model: string,
  answerModel: string | null,
  attempts: number,
): Record<string, string> {
  return {
    'hone-model': headerText(answerModel ?? model),
    'hone-target': headerText(`${upstream}/${model}`),
    'hone-attempts': String(attempts),
  };
}

/** Headers hold visible ASCII. */
const headerText = (text: string): string => encodeURI(text).replace(/%25/g, '%');
