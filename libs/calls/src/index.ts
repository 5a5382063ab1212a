export { toChatTools } from './chat-tools.js';
export type { CallDraft, CallEnd, CallStart, JsonBytes, JsonDraft } from './call-halves.record.js';
export { CallWriteRepository } from './call-write.repository.js';
export {
  type BackfillProgress,
  type CallBackfill,
  CallBackfillsRepository,
} from './backfill/call-backfills.repository.js';
export { type CallFacts, type CallValues, type ChunkKeys, childKeysOf, projectOfRow, toOpenRow } from './call-row.js';
export { answeredText, askedText, MESSAGES } from './derived/preview.js';
export { derivedOfAttributes } from './derived/derived.js';
export { errorClassOf } from './derived/error-class.js';
export { type ModelTokens, modelTokens, tokensOfSummary } from './derived/model-tokens.js';
export { MODEL_TOKENS } from './derived/model-tokens.sql.js';
export { DERIVED_COLUMNS } from './derived/derived-row.js';
export { DerivedCallsRepository } from './derived/derived-calls.repository.js';
export { type DataUse, DataUsesRepository } from './data-uses.repository.js';
export { draftOfBytes, plainDraft, toJsonDraft } from './json-draft.js';
export { isLargeCall, newCalls, putLargeParts, type WholeCall } from './new-calls.sql.js';
export { type Conversation, lineOf, readConversation, toSftLine } from './sft-line.js';
export { builtInPrice, builtInPriceChanges } from './prices/built-in-prices.js';
export { isHosted } from './prices/hosts.js';
export { toNanoUsd, toUsd } from './prices/nano-usd.js';
export { type Price, type PricedUsage, Prices } from './prices/prices.js';
export { PricesRepository } from './prices/prices.repository.js';
export { tokenCosts, type TokenPrice } from './prices/token-price.js';
export { usageOf } from './prices/usage-by-model.js';
export { asCount, BESIDE_INPUT, COUNT_NAMES, readTokenUsage, toTokenUsage, type TokenUsage } from './token-usage.js';
export { type CallKey, CallTreeRepository } from './tree/call-tree.repository.js';
export { markErased } from './values/digest-texts.sql.js';
export { ErasedDigestsRepository } from './values/erased-digests.repository.js';
export { FileRepository } from './values/file.repository.js';
export { MAX_INLINE_BYTES } from './values/inline.js';
export { type StoredValue, ValueRepository } from './values/value.repository.js';
export { ValuesModule } from './values/values.module.js';
export { CALL_SEARCH_BACKFILL, CallSearchRepository, SEARCH_BATCH_CALLS } from './search/call-search.repository.js';
export { type CallDocument, type SearchedTexts, toCallDocument } from './search/document.js';
export { SearchWordsError, toPhrases } from './search/search-query.js';
export { type Phrase, projectTerm } from './search/terms.js';
export {
  EVALUATION_CALLS,
  type EvaluationCallKind,
  evaluationEnd,
  predictionStart,
  runStart,
  scoreStart,
} from './evaluation-runs/evaluation-calls.js';
