const FRAME = /data: (\{.*\})\n\n/g;

/** The text of a stream, read from its bytes with the framing of HTTP. No frame of the mock spans two chunks. */
export function textOfStream(bytes) {
  const frames = [...bytes.toString().matchAll(FRAME)].map(([, json]) => JSON.parse(json));
  return frames.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
}
