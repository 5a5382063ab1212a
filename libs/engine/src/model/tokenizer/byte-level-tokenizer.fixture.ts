import { BYTE_CHARACTERS } from './byte-characters.js';

/** Ids of the fixture's control tokens: after the 256 bytes and the merged tokens. */
export const FIXTURE_TOKENS = { bos: 264, end: 265, system: 266, user: 267, assistant: 268, tool: 269 } as const;

/** Pairs that the fixture merges, in order of rank; `Ġ` is the blank. */
const MERGES = ['h e', 'l l', 'he ll', 'hell o', 'Ġ w', 'o r', 'Ġw or', 'Ġ a'];

/** Each turn is its role's marker, the text and the end marker; unknown roles are refused as templates do it. */
export const FIXTURE_CHAT_TEMPLATE = [
  '{{ bos_token }}',
  "{% if tools %}{{ '<|system|>' + tools | tojson + eos_token }}{% endif %}",
  '{% for message in messages %}',
  "{% if message.role not in ['system', 'user', 'assistant', 'tool'] %}",
  "{{ raise_exception('Unknown role: ' + message.role) }}",
  '{% endif %}',
  "{{ '<|' + message.role + '|>' + message.content + eos_token }}",
  '{% endfor %}',
  "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}",
].join('');

/** `tokenizer.json` of a byte-level BPE: all bytes, eight merges, six control tokens. */
export function byteLevelTokenizer(): Record<string, unknown> {
  const tokens = [...BYTE_CHARACTERS, ...MERGES.map((pair) => pair.replace(' ', ''))];
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: Object.entries(FIXTURE_TOKENS).map(([name, id]) => {
      return { id, content: `<|${name}|>`, special: true, normalized: false };
    }),
    normalizer: null,
    pre_tokenizer: byteLevel,
    post_processor: null,
    decoder: byteLevel,
    model: {
      type: 'BPE',
      unk_token: null,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges: MERGES,
    },
  };
}
