import type { BaseModel } from '../../model/base-model.js';
import type { ModelTokenizer } from '../../model/tokenizer/tokenizer.js';
import { GgufUnsupportedError } from './gguf.errors.js';
import type { GgufMetadata } from './gguf-metadata.js';
import { preTokenizerName } from './pre-tokenizer-name.js';

/** Kinds of tokens, as llama.cpp numbers them (`llama_token_type` of llama.h). */
const TOKEN_TYPE = { normal: 1, control: 3, userDefined: 4, unused: 5 } as const;

/**
 * Adds the tokenizer in the form of GPT-2's byte-level BPE, and the chat template.
 *
 * @throws GgufUnsupportedError the tokenizer is SentencePiece's, or splits words in a way without a name
 */
export function addTokenizer(metadata: GgufMetadata, { config, tokenizer, chatTemplate }: BaseModel): void {
  if (!tokenizer.isByteLevel) throw new GgufUnsupportedError('its tokenizer is SentencePiece, not byte-level BPE');
  const { bosTokenId, eosTokenIds, vocabSize } = config;
  const { template, specialTokens } = chatTemplate.source;
  const ids = Array.from({ length: vocabSize }, (_, id) => id);
  metadata
    .text('tokenizer.ggml.model', 'gpt2')
    .text('tokenizer.ggml.pre', preTokenizerName(tokenizer.source.json.pre_tokenizer))
    // Every row of the embedding needs a name; llama.cpp's converter calls the spare ones so, too.
    .texts(
      'tokenizer.ggml.tokens',
      ids.map((id) => tokenizer.entry(id) ?? `[PAD${id}]`),
    )
    .integers(
      'tokenizer.ggml.token_type',
      ids.map((id) => tokenType(tokenizer, id)),
    )
    .texts(
      'tokenizer.ggml.merges',
      tokenizer.source.merges.map((pair) => pair.join(' ')),
    );
  if (bosTokenId !== null) metadata.count32('tokenizer.ggml.bos_token_id', bosTokenId);
  metadata.count32('tokenizer.ggml.eos_token_id', endToken(tokenizer, eosTokenIds, specialTokens.eos_token));
  const padding = specialTokens.pad_token === undefined ? null : tokenizer.idOf(specialTokens.pad_token);
  if (padding !== null) metadata.count32('tokenizer.ggml.padding_token_id', padding);
  const [first] = tokenizer.addSpecialTokens([]);
  metadata.flag('tokenizer.ggml.add_bos_token', bosTokenId !== null && first === bosTokenId);
  if (template !== null) metadata.text('tokenizer.chat_template', template);
}

/** GGUF has room for one: the tokenizer's own, if it ends an answer, else the first that does. */
function endToken(tokenizer: ModelTokenizer, eosTokenIds: readonly number[], named: string | undefined): number {
  const id = named === undefined ? null : tokenizer.idOf(named);
  return id !== null && eosTokenIds.includes(id) ? id : eosTokenIds[0]!;
}

function tokenType(tokenizer: ModelTokenizer, id: number): number {
  if (tokenizer.isSpecial(id)) return TOKEN_TYPE.control;
  if (tokenizer.isAdded(id)) return TOKEN_TYPE.userDefined;
  return tokenizer.entry(id) === null ? TOKEN_TYPE.unused : TOKEN_TYPE.normal;
}
