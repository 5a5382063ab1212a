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
      return [name, value] as const;
    });
  return { ...parseObject(others), ...Object.fromEntries(numbers) };
}

function parseObject(text: string): object {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`The other settings are no JSON: ${(error as Error).message}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('The other settings should be a JSON object, such as {"seed": 1}.');
  return value;
}
