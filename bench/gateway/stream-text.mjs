const FRAME = /data: (\{.*\})\n\n/g;

/** Door -> the text that an event adds. */
const TEXTS = {
  chat: ({ choices }) => choices[0]?.delta.content ?? '',
  responses: ({ type, delta }) => (type === 'response.output_text.delta' ? delta : ''),
  messages: ({ type, delta }) => (type === 'content_block_delta' ? delta.text : ''),
};

/** The text of a stream, read from its bytes with the framing of HTTP. No frame of the mock spans two chunks. */
export function textOfStream(bytes, door = 'chat') {
  const frames = [...bytes.toString().matchAll(FRAME)].map(([, json]) => JSON.parse(json));
  return frames.map(TEXTS[door]).join('');
}
