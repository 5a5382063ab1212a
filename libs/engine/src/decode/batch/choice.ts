import type { IncrementalText } from '../../model/tokenizer/incremental-text.js';
import type { Constraint } from '../constraints/constraint.js';
import { endsInRepetition } from '../ending/repetition.js';
import { StopStrings } from '../ending/stop-strings.js';
import type { BadWords } from '../sampling/bad-words.js';
import { reported, topTokens } from '../sampling/log-probabilities.js';
import { TokenSampler } from '../sampling/token-sampler.js';
import { ConstraintDeadEndError } from './batch.errors.js';
import type { FinishEvent, GenerationEvent, TokenReport } from './generation-event.js';
import type { GenerationRequest } from './generation-request.js';
import { PendingTokens } from './pending-tokens.js';
import type { ServedBase } from './served-model.js';

type Ending = Pick<FinishEvent, 'finishReason' | 'stopReason'>;

/** One answer under generation: samples its tokens, detokenizes them and decides when it ends. */
export class Choice {
  private readonly sampler: TokenSampler;
  private readonly text: IncrementalText;
  private readonly stops: StopStrings;
  private readonly pending = new PendingTokens();
  private readonly ids: number[] = [];
  private readonly eosIds: readonly number[];
  /** All tokens that end it. */
  private readonly endIds: readonly number[];

  /**
   * @param maxTokens how many it may have, at least 1
   * @param constraint null: none
   */
  constructor(
    readonly index: number,
    private readonly request: GenerationRequest,
    private readonly base: ServedBase,
    private readonly maxTokens: number,
    badWords: BadWords | null,
    readonly constraint: Constraint | null,
  ) {
    const { sampling, ending, promptIds } = request;
    // A complete constraint allows only the end token, whatever `ignore_eos` says.
    this.eosIds = ending.ignoreEos && constraint === null ? [] : base.config.eosTokenIds;
    this.endIds = [...this.eosIds, ...ending.stopTokenIds];
    const settings = { ...sampling, seed: sampling.seed + BigInt(index) };
    this.sampler = new TokenSampler(settings, base.buffers, promptIds, this.endIds, badWords);
    this.text = base.tokenizer.incrementalText(request.text);
    this.stops = new StopStrings(ending.stop, ending.includeStop);
  }

  /**
   * Chooses the next token.
   *
   * @param logProbabilities raw ones `[vocabSize]`
   * @param logPartition added to them it gives the logits
   * @returns its id, and the events for the caller of the generation; a finish event is the last
   * @throws ConstraintDeadEndError no token is left
   */
  next(logProbabilities: Float32Array, logPartition: number): { id: number; events: GenerationEvent[] } {
    const id = this.sampler.sample(logProbabilities, logPartition, this.constraint?.mask ?? null);
    if (id === -1) throw new ConstraintDeadEndError();
    this.sampler.accept(id);
    this.ids.push(id);
    return { id, events: this.take(id, this.report(logProbabilities, id)) };
  }

  /** Advances its constraint by the token that was chosen. */
  constrain(id: number): void {
    this.constraint?.accept(id, this.sampler.isGreedy);
  }

  /** Proposes the likeliest token to its constraint. @returns false: the constraint does not wait for a proposal */
  propose(logProbabilities: Float32Array, logPartition: number): boolean {
    if (!this.constraint?.awaitsProposal) return false;
    this.constraint.propose(this.sampler.sample(logProbabilities, logPartition, null));
    return true;
  }

  private take(id: number, report: TokenReport | null): GenerationEvent[] {
    const ending = this.endingBy(id);
    const isSilent = ending?.finishReason === 'stop' && this.endIds.includes(id) && !this.request.ending.includeStop;
    const piece = isSilent ? '' : this.text.push(id);
    this.pending.add(id, report, piece, !isSilent && this.base.tokenizer.tokenBytes(id).length > 0);
    const { minTokens } = this.request.sampling;
    const found = this.stops.push(piece, minTokens === 0 || this.ids.length > minTokens);
    if (found.stop !== null) return this.finish(found.text, { finishReason: 'stop', stopReason: found.stop });
    if (ending !== null) return this.finishWithRest(found.text, ending);
    return found.text === '' ? [] : [this.release(found.text, false)];
  }

  /** How this token ends the choice, stop strings apart; null when it goes on. */
  private endingBy(id: number): Ending | null {
    const { ending } = this.request;
    if (this.eosIds.includes(id)) return { finishReason: 'stop', stopReason: null };
    if (ending.stopTokenIds.includes(id)) return { finishReason: 'stop', stopReason: id };
    if (endsInRepetition(this.ids, ending.repetition)) {
      return { finishReason: 'stop', stopReason: 'repetition_detected' };
    }
    return this.ids.length >= this.maxTokens ? { finishReason: 'length', stopReason: null } : null;
  }

  /** An unfinished character at the end becomes U+FFFD, which may complete a stop string. */
  private finishWithRest(text: string, ending: Ending): GenerationEvent[] {
    const rest = this.stops.push(this.text.end());
    if (rest.stop !== null) return this.finish(text + rest.text, { finishReason: 'stop', stopReason: rest.stop });
    return this.finish(text + rest.text + this.stops.end(), ending);
  }

  private finish(text: string, ending: Ending): GenerationEvent[] {
    this.constraint?.close();
    const finish = { kind: 'finish' as const, choice: this.index, ...ending, completionTokens: this.ids.length };
    return [this.release(text, true), finish];
  }

  private release(text: string, isEnd: boolean): GenerationEvent {
    const { ids, reports } = this.pending.release(text, isEnd);
    const logProbabilities = this.request.topLogProbabilities === null ? null : reports;
    return { kind: 'text', choice: this.index, text, ids, logProbabilities };
  }

  private report(logProbabilities: Float32Array, id: number): TokenReport | null {
    const { topLogProbabilities } = this.request;
    if (topLogProbabilities === null) return null;
    return {
      id,
      logProbability: reported(logProbabilities, id),
      top: topTokens(logProbabilities, topLogProbabilities),
    };
  }
}
