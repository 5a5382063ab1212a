import { Tensor } from 'onnxruntime-node';

import type { LossSettings } from '../loss/index.js';
import { type LlamaConfig, windowOf } from '../model/config/llama-config.js';
import { rotaryTables, windowRotaryTables } from '../model/config/rotary-tables.js';
import type { MicroBatch } from './micro-batches.js';
import type { TrainSequence } from './train-sequence.js';

export type Feeds = Record<string, Tensor>;

const FORBIDDEN = -1e30;
/** Limit of the cached masks, in values (64 MiB); the newest is always kept. */
const MAX_KEPT = 1 << 24;

/** Turns micro-batches into the inputs of the train graphs; what depends on the length alone is kept. */
export class MicroBatchFeeds {
  private readonly byLength = new Map<number, Feeds>();
  private kept = 0;

  constructor(
    private readonly config: LlamaConfig,
    private readonly loss: LossSettings,
  ) {}

  /**
   * @param row the sequences of which `batch` names some
   * @param stage `score` needs no loss, so nothing is fed for it
   */
  feed(row: readonly TrainSequence[], batch: MicroBatch, stage: 'score' | 'loss'): Feeds {
    const feeds = { ...this.ofLength(batch.length), ...tokenFeeds(membersOf(row, batch), batch.length) };
    return stage === 'score' ? feeds : { ...feeds, ...this.feedLoss(row, batch) };
  }

  /** What the loss of a micro-batch is fed beside the rest. */
  feedLoss(row: readonly TrainSequence[], batch: MicroBatch): Feeds {
    return lossFeeds(this.loss, membersOf(row, batch));
  }

  private ofLength(length: number): Feeds {
    const found = this.byLength.get(length);
    if (found !== undefined) return found;
    const feeds = { ...this.context(length), ...this.window(length) };
    const size = length ** 2 * ('windowMask' in feeds ? 2 : 1);
    if (this.kept + size > MAX_KEPT) {
      this.byLength.clear();
      this.kept = 0;
    }
    this.byLength.set(length, feeds);
    this.kept += size;
    return feeds;
  }

  private context(length: number): Feeds {
    const { cosines, sines } = rotaryTables(this.config, length);
    return {
      mask: new Tensor('float32', causalMask(length), [length, length]),
      cosines: new Tensor('float32', cosines, [length, this.config.headDim / 2]),
      sines: new Tensor('float32', sines, [length, this.config.headDim / 2]),
    };
  }

  /** The same for the layers that see a window. */
  private window(length: number): Feeds {
    const window = windowOf(this.config);
    if (window === null) return {};
    const { cosines, sines } = windowRotaryTables(this.config, length);
    return {
      windowMask: new Tensor('float32', causalMask(length, window), [length, length]),
      windowCosines: new Tensor('float32', cosines, [length, this.config.headDim / 2]),
      windowSines: new Tensor('float32', sines, [length, this.config.headDim / 2]),
    };
  }
}

const membersOf = (row: readonly TrainSequence[], { members }: MicroBatch) =>
  members.map((index) => row[index] as TrainSequence);

/** @param window tokens that a token sees, itself among them */
function causalMask(length: number, window = length): Float32Array {
  const mask = new Float32Array(length * length);
  for (let row = 0; row < length; row += 1) {
    mask.fill(FORBIDDEN, row * length, row * length + Math.max(0, row - window + 1));
    mask.fill(FORBIDDEN, row * length + row + 1, (row + 1) * length);
  }
  return mask;
}

function tokenFeeds(members: readonly TrainSequence[], length: number): Feeds {
  const ids = new BigInt64Array(members.length * length);
  const wanted: bigint[] = [];
  const targets: bigint[] = [];
  members.forEach((sequence, member) => {
    for (let at = 0; at < sequence.ids.length; at += 1) ids[member * length + at] = BigInt(sequence.ids[at] as number);
    for (let at = 0; at < sequence.trained.length; at += 1) {
      const position = sequence.trained[at] as number;
      // The token at `position` is predicted by the output one before it.
      wanted.push(BigInt(member * length + position - 1));
      targets.push(BigInt(sequence.ids[position] as number));
    }
  });
  return {
    ids: new Tensor('int64', ids, [members.length, length]),
    wanted: new Tensor('int64', BigInt64Array.from(wanted), [wanted.length]),
    targets: new Tensor('int64', BigInt64Array.from(targets), [targets.length]),
  };
}

function lossFeeds(loss: LossSettings, members: readonly TrainSequence[]): Feeds {
  const weight = perToken(members, (sequence) => sequence.weight);
  if (loss.kind === 'sft') return { weight };
  return {
    weight,
    old: perToken(members, (sequence) => sequence.old),
    advantage: perToken(members, (sequence) => sequence.advantage),
    ...(loss.truncation === null ? {} : { driftRatio: perToken(members, (sequence) => sequence.drift) }),
    ...(loss.level === 'token' ? {} : sequenceFeeds(members)),
  };
}

/** The values of all members' tokens end to end; NaN where a sequence has none. */
function perToken(
  members: readonly TrainSequence[],
  valuesOf: (sequence: TrainSequence) => ArrayLike<number> | undefined,
): Tensor {
  const all = members.flatMap((sequence) => Array.from(valuesOf(sequence) ?? Array(sequence.trained.length).fill(NaN)));
  return new Tensor('float32', Float32Array.from(all), [all.length]);
}

/** Which sequence a token is of, and the matrix that averages over each sequence's tokens. */
function sequenceFeeds(members: readonly TrainSequence[]): Feeds {
  const owner = members.flatMap((sequence, member) => Array<number>(sequence.trained.length).fill(member));
  const averaging = new Float32Array(members.length * owner.length);
  owner.forEach((member, token) => {
    averaging[member * owner.length + token] = 1 / (members[member] as TrainSequence).trained.length;
  });
  return {
    sequenceOf: new Tensor('int64', BigInt64Array.from(owner, BigInt), [owner.length]),
    averaging: new Tensor('float32', averaging, [members.length, owner.length]),
  };
}
