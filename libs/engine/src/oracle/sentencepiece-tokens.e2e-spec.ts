import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { importGguf } from '../gguf/import/index.js';
import { ggufBytes, text, textPair, uint32, uint64 } from '../gguf-reader/gguf-bytes.fixture.js';
import { ggufTensorName } from '../gguf-reader/index.js';
import { openBaseModel, tensorShapes } from '../model/index.js';
import { useTempFolder } from '../model/temp-folder.fixture.js';
import { askLlamaCpp, HAS_LLAMA_CPP } from './llama-cpp.fixture.js';

const CORPUS = [
  'a\n\n\nb',
  'x    y     z',
  'the [tool] there',
  'a<end_of_turn>b',
  'hello world',
  '  two  blanks ',
  'hellohell ell',
  'Größe 猫 🙂',
  'the theatre, there\n\tthen',
  'x',
];
const BYTES = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
/** In order of their scores, as SentencePiece stores them: merged pieces, then characters. */
const PIECES =
  '▁t he ll ▁the ▁w or hell ▁hell ▁world ▁▁ re ▁there ld hello ell ▁ a b c d e f g h i l m n o r s t w ö'.split(' ');
/** As Gemma has them: texts that are always one token, and markers of turns. */
const USER_DEFINED = ['\n\n', '    ', '[tool]'];
const CONTROLS = ['<start_of_turn>', '<end_of_turn>'];
const TOKENS = ['<unk>', '<s>', '</s>', ...BYTES, ...PIECES, ...USER_DEFINED, ...CONTROLS];
const TYPES = TOKENS.map((token, id) => {
  if (USER_DEFINED.includes(token)) return 4;
  if (CONTROLS.includes(token)) return 3;
  return id === 0 ? 2 : id < 3 ? 3 : id < 259 ? 6 : 1;
});
const WITH_CONTROLS = [
  '<start_of_turn>the hello\n\nworld<end_of_turn>\n',
  'hello<end_of_turn> hello',
  '<s>the world</s>',
];
const SHAPE = { hiddenSize: 32, intermediateSize: 32, numLayers: 1, numHeads: 2, numKvHeads: 2, headDim: 16 };

const list = (key: string, type: number, items: Buffer[]): Buffer =>
  Buffer.concat([text(key), uint32(9), uint32(type), uint64(items.length), ...items]);
const count = (key: string, value: number): Buffer => Buffer.concat([text(key), uint32(4), uint32(value)]);
const float = (value: number): Buffer => Buffer.from(Float32Array.of(value).buffer);

function metadata(addSpacePrefix: boolean): Buffer[] {
  return [
    textPair('general.architecture', 'llama'),
    count('llama.context_length', 128),
    count('llama.embedding_length', 32),
    count('llama.block_count', 1),
    count('llama.feed_forward_length', 32),
    count('llama.attention.head_count', 2),
    Buffer.concat([text('llama.attention.layer_norm_rms_epsilon'), uint32(6), float(1e-5)]),
    textPair('tokenizer.ggml.model', 'llama'),
    list('tokenizer.ggml.tokens', 8, TOKENS.map(text)),
    list(
      'tokenizer.ggml.scores',
      6,
      TOKENS.map((_, id) => float(id < 259 ? 0 : 259 - id)),
    ),
    list('tokenizer.ggml.token_type', 5, TYPES.map(uint32)),
    ...[count('tokenizer.ggml.bos_token_id', 1), count('tokenizer.ggml.eos_token_id', 2)],
    count('tokenizer.ggml.unknown_token_id', 0),
    Buffer.concat([text('tokenizer.ggml.add_space_prefix'), uint32(7), Buffer.of(addSpacePrefix ? 1 : 0)]),
  ];
}

const folder = useTempFolder();
const described = HAS_LLAMA_CPP ? describe : describe.skip;

described('a SentencePiece tokenizer of a GGUF file', () => {
  it.each([true, false])(
    "gives llama.cpp's tokens (add_space_prefix %s)",
    async (addSpacePrefix) => {
      const shapes = tensorShapes({ ...SHAPE, vocabSize: TOKENS.length, tiedHead: true, maxPositions: 128 });
      const tensors = Array.from(shapes, ([name, shape]) => {
        const bytes = Buffer.alloc(4 * shape.reduce((product, size) => product * size, 1));
        return { name: ggufTensorName(name)!, sizes: shape.toReversed(), type: 0, bytes };
      });
      const path = join(folder(), 'a.gguf');
      await writeFile(path, ggufBytes(metadata(addSpacePrefix), tensors));
      const { ids } = await askLlamaCpp(path, [], CORPUS);
      await importGguf(path, join(folder(), 'imported'));
      const { tokenizer } = await openBaseModel(join(folder(), 'imported'));
      expect(CORPUS.map((sentence) => tokenizer.encode(sentence))).toEqual(ids);
      expect(tokenizer.addSpecialTokens([5])).toEqual([1, 5]);
      // With a prefix, the text after a token that is always one gets a blank, too: what was there before it is not known.
      const exact = CORPUS.filter((text) => !addSpacePrefix || !USER_DEFINED.some((token) => text.includes(token)));
      expect(exact.map((text) => tokenizer.decode(tokenizer.encode(text)))).toEqual(exact);
      const answer = await askLlamaCpp(path, [], WITH_CONTROLS, true);
      expect(WITH_CONTROLS.map((text) => tokenizer.encodeWithControls(text))).toEqual(answer.ids);
    },
    60_000,
  );
});
