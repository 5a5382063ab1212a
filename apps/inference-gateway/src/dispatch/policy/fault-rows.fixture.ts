import { answerOf } from '../answer-rig.fixture.js';

/** What the caller of the only target gets: status and code, or the code of a failure frame after `tokens` of text. */
export interface FaultRow {
  readonly row: string;
  readonly model: string;
  /** `error.code` before anything was sent. */
  readonly code: string;
  readonly status: number;
  /** Set when the fault strikes after some text: code in the stream. */
  readonly streamCode?: string;
  readonly tokens?: number;
  /** How often the only target is asked, 1 unless told. */
  readonly tries?: number;
  /** A second target is of no use. */
  readonly isFinal?: boolean;
  /** What happens when the answer is no stream, where that differs. */
  readonly whole?: Partial<FaultRow> | 'ok';
}

const early = (row: string, model: string, status: number, code: string, more: Partial<FaultRow> = {}): FaultRow => ({
  row,
  model,
  status,
  code,
  ...more,
});
const late = (
  row: string,
  model: string,
  streamCode: string,
  status: number,
  code: string,
  more: Partial<FaultRow> = {},
) => early(row, model, status, code, { streamCode, tokens: 3, tries: 3, ...more });

/** Faults that strike streams and whole answers. */
export const FAULT_ROWS: readonly FaultRow[] = [
  early('2 reset before headers', 'reset', 502, 'upstream_unreachable', { tries: 3 }),
  early('3 silent', 'silent', 504, 'upstream_timeout'),
  early('4 headers without an answer', 'headers-only', 504, 'upstream_timeout'),
  early('5 429, Retry-After too long', 'rate-limit+retry-after@9', 429, 'upstream_rate_limited'),
  early('6 429', 'rate-limit', 429, 'upstream_rate_limited', { tries: 3 }),
  early('7 500', 'status@500', 502, 'upstream_failed', { tries: 3 }),
  early('7 502', 'status@502', 502, 'upstream_failed', { tries: 3 }),
  early('7 408', 'status@408', 502, 'upstream_failed', { tries: 3 }),
  early('7 409', 'status@409', 502, 'upstream_failed', { tries: 3 }),
  early('7 503', 'status@503', 503, 'overloaded', { tries: 3 }),
  early('7 529', 'status@529', 503, 'overloaded', { tries: 3 }),
  early('8 401', 'status@401', 502, 'upstream_auth'),
  early('8 403', 'status@403', 502, 'upstream_auth'),
  early('8 402', 'status@402', 502, 'upstream_failed'),
  early('8 no quota', 'no-quota', 502, 'upstream_failed'),
  early('8 404', 'no-such-model', 502, 'upstream_failed'),
  early('9 context length', 'context-length', 400, 'context_length_exceeded', { isFinal: true }),
  early('10 content filter', 'content-filter', 400, 'content_policy_violation', { isFinal: true }),
  early('11 other 400', 'status@400', 400, 'upstream_rejected', { isFinal: true }),
  early('11 other 422', 'status@422', 422, 'upstream_rejected', { isFinal: true }),
  late('12 FIN', 'cut@3', 'stream_interrupted', 502, 'upstream_failed'),
  late('12 RST', 'cut-reset@3', 'stream_interrupted', 502, 'upstream_failed'),
  late('12 cut before the first token', 'cut@0', '', 502, 'upstream_failed', { tokens: 0 }),
  late('12 cut after the finish', 'no-done-reset', 'stream_interrupted', 502, 'upstream_failed', {
    tokens: 8,
    whole: 'ok',
  }),
  late('12 FIN, empty finish_reason', 'cut@3+empty-finish', 'stream_interrupted', 502, 'upstream_failed'),
  late(
    '13 [DONE] with an empty finish_reason',
    'no-finish@1+empty-finish',
    'stream_interrupted',
    502,
    'upstream_failed',
    {
      tokens: 1,
    },
  ),
  late('13 clean end', 'clean-end@3', 'stream_interrupted', 502, 'upstream_failed', {
    whole: { code: 'upstream_invalid' },
  }),
  late('13 [DONE] without finish_reason', 'no-finish@3', 'stream_interrupted', 502, 'upstream_failed'),
  late('14 stall', 'stall@3', 'stream_stalled', 504, 'upstream_timeout', { tries: 1 }),
  late('14 stall behind comments', 'stall@3+pings@10', 'stream_stalled', 504, 'upstream_timeout', { tries: 1 }),
  early('4 comments without an answer', 'headers-only+pings@10', 504, 'upstream_timeout'),
  late('15 error frame', 'error-frame@3', 'upstream_failed', 502, 'upstream_failed'),
  late('15 finish_reason error', 'finish-error@3', 'upstream_failed', 502, 'upstream_failed'),
  late('15 finish_reason abort', 'finish-abort@3', 'upstream_failed', 502, 'upstream_failed'),
  late('17 damaged frame', 'damaged-frame@3', 'stream_damaged', 502, 'upstream_invalid'),
  late('17 lost frame', 'lost-frame@3', 'stream_damaged', 502, 'upstream_invalid', { tokens: 7, whole: 'ok' }),
  late('two ends', 'two-finishes', 'stream_damaged', 502, 'upstream_invalid', { tokens: 8, whole: 'ok' }),
  early('19 HTML', 'html', 502, 'upstream_invalid', { tries: 3 }),
  early('19 empty', 'empty', 502, 'upstream_failed', { tries: 3, whole: { code: 'upstream_invalid' } }),
  early('19 no JSON', 'invalid-json', 502, 'upstream_failed', { tries: 3, whole: { code: 'upstream_invalid' } }),
  early('19 no choices', 'no-choices', 502, 'upstream_failed', { tries: 3, whole: { code: 'upstream_invalid' } }),
  late('21 frame > 4 MiB', 'big-frame@5', 'stream_interrupted', 502, 'upstream_invalid', {
    tokens: 1,
    tries: 1,
    whole: 'ok',
  }),
  early('21 redirect', 'redirect', 502, 'upstream_invalid'),
];

/** Faults of whole answers alone. */
export const WHOLE_FAULT_ROWS: readonly FaultRow[] = [
  early('19 body with an error', 'error-body', 502, 'upstream_failed', { tries: 3 }),
  early('19 an error beside the choices', 'ok+with-error', 502, 'upstream_failed', { tries: 3 }),
  early('19 large, an error beside the choices', 'ok+with-error+pad', 502, 'upstream_failed', { tries: 3 }),
  early('19 large, no finish_reason', 'no-finish+pad', 502, 'upstream_failed', { tries: 3 }),
  early('19 large, an empty finish_reason', 'no-finish+pad+empty-finish', 502, 'upstream_failed', { tries: 3 }),
  early('19 large, finish_reason error', 'finish-error+pad', 502, 'upstream_failed', { tries: 3 }),
  early('19 large, not whole', 'clean-end+pad', 502, 'upstream_invalid', { tries: 3 }),
  early('19 a stream instead', 'other-form', 502, 'upstream_invalid', { tries: 3 }),
  early('21 body > 64 MiB', 'big-body@65', 502, 'upstream_invalid'),
];

/** Streams that are whole all the same. */
export const ODD_ROWS = [
  { row: '16 broken frame, no token missing', model: 'broken-frame@3', oddities: ['malformed_frame'] },
  { row: '18 [DONE] missing, silence', model: 'no-done', oddities: ['done_missing'] },
  { row: '18 [DONE] missing, comments', model: 'no-done+pings@10', oddities: ['done_missing'] },
  { row: '18 [DONE] missing, clean end', model: 'no-done-end', oddities: ['done_missing'] },
  { row: '20 JSON for a stream', model: 'other-form', oddities: ['not_streamed'] },
  { row: 'an end that is repeated with the usage', model: 'repeated-finish', oddities: [] },
  { row: 'usage in the frame that finishes', model: 'ok+native-usage', oddities: [] },
] as const;

/** What is forwarded before the fault: the first tokens; of a lost frame all others, too. */
export function forwardedText({ model, tokens = 0 }: FaultRow): string {
  const all = answerOf('a').split(/(?= )/);
  if (model.startsWith('lost-frame')) return all.filter((_, index) => index !== 3).join('');
  return all.slice(0, tokens).join('');
}
