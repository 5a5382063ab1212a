import { isJsonObject } from '@hone/contracts';

const MAX_CHARACTERS = 300;

/** The project that a body names: its own, or that of the first element of its batch. Empty: it names none. */
export function projectOf(body: unknown): string {
  if (!isJsonObject(body)) return '';
  const first = Array.isArray(body['batch']) ? body['batch'][0] : body;
  const projectId = isJsonObject(first) ? first['project_id'] : undefined;
  return typeof projectId === 'string' ? projectId.slice(0, MAX_CHARACTERS).replaceAll('\0', '') : '';
}
