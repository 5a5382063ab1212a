/** `tokenizer.json` in the form of Llama 2: SentencePiece pieces, bytes for what has no piece. */
export function sentencePieceTokenizer(): Record<string, unknown> {
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
  const pieces = ['▁', ...'abcdefghijklmnopqrstuvwxyz', 'he', 'll', 'hell', 'hello', '▁hello'];
  const tokens = ['<unk>', '<s>', '</s>', ...bytes, ...pieces];
  return {
    version: '1.0',
    added_tokens: ['<unk>', '<s>', '</s>'].map((content, id) => ({ id, content, special: true, normalized: false })),
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'Prepend', prepend: '▁' },
        { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
      ],
    },
    pre_tokenizer: null,
    post_processor: null,
    decoder: {
      type: 'Sequence',
      decoders: [
        { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
        { type: 'ByteFallback' },
        { type: 'Fuse' },
        { type: 'Strip', content: ' ', start: 1, stop: 0 },
      ],
    },
    model: {
      type: 'BPE',
      unk_token: '<unk>',
      fuse_unk: true,
      byte_fallback: true,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges: ['h e', 'l l', 'he ll', 'hell o', '▁ hello'],
    },
  };
}
