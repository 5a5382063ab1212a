const MAX_CHARACTERS = 2_000;
/** URLs, host names with a port, IPv4 and IPv6 addresses. */
const ADDRESSES =
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)]+|\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b|\b[a-z0-9][a-z0-9.-]*:\d{2,5}\b|\[[0-9a-f:]+\](?::\d+)?/gi;
/** Keys as vendors and Hone write them. */
const KEYS = /\b(?:sk|pk|hf|gsk|hone|key|xai)[-_][A-Za-z0-9_*.-]{6,}|\bBearer\s+\S+/g;

/**
 * Removes addresses and keys from an upstream's message.
 *
 * @param secrets removed everywhere: the key that was sent, the upstream's host
 */
export function redact(message: string, secrets: readonly string[]): string {
  let text = message.slice(0, 2 * MAX_CHARACTERS);
  for (const secret of secrets) if (secret.length > 0) text = text.replaceAll(secret, '…');
  return text.replace(ADDRESSES, '…').replace(KEYS, '…').slice(0, MAX_CHARACTERS);
}
