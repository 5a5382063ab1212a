import { isJsonObject, JsonNumber, parseJson } from '@hone/client';

/**
 * Settings as somebody fills them in: numbers with a field of their own, and any others as JSON.
 *
 * @param others a JSON object, or nothing
 * @throws Error a sentence that says what is wrong
 */
export function toSettings(
  fields: Readonly<Record<string, string>>,
  others: string,
): Readonly<Record<string, unknown>> {
  const numbers = Object.entries(fields)
    .filter(([, text]) => text.trim() !== '')
    .map(([name, text]) => {
      const value = Number(text);
      if (!Number.isFinite(value)) throw new Error(`“${text}” is no number for ${name}.`);
      return [name, isRounded(text, value) ? new JsonNumber(text.trim()) : value] as const;
    });
  return { ...parseObject(others), ...Object.fromEntries(numbers) };
}

/** Whether digits of an integer are lost, such as those of a seed of 64 bits. */
const isRounded = (text: string, value: number): boolean =>
  /^-?[1-9]\d*$/.test(text.trim()) && !Number.isSafeInteger(value);

function parseObject(text: string): object {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new Error(`The other settings are no JSON: ${(error as Error).message}.`);
  }
  if (!isJsonObject(value)) throw new Error('The other settings should be a JSON object, such as {"seed": 1}.');
  return value;
}
