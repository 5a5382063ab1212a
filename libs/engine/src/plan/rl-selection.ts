import { byKeys, sequenceHash, setHash } from './canonical-order.js';
import { type DropReason, trainedTokensOf } from './plan.js';
import type { TrajectoryDraft } from './rl-drafts.js';
import type { TokenSequence } from './trajectory-sequences.js';

const LENGTH_STEP = 2048;
const MAX_DEFAULT_LENGTH = 32768;

/** A sequence that will be trained, cut to what fits. */
export interface ChosenSequence extends TokenSequence {
  readonly trajectory: TrajectoryDraft;
  /** Left after cutting. */
  readonly trainedTokens: number;
  /** Trained tokens of its trajectory, before any was cut. */
  readonly trajectoryTokens: number;
  readonly hash: string;
  /** Distinguishes equal sequences of trajectories that differ elsewhere. */
  readonly trajectoryHash: string;
}

export interface Selection {
  /** By trajectory, in the order of the drafts: null when it is trained. */
  readonly reasons: readonly (DropReason | null)[];
  /** The trained sequences by group, both in canonical order: whatever order they were sent in. */
  readonly groups: readonly (readonly ChosenSequence[])[];
}

/** Tokens of a row: what is configured, or what the longest sequence needs. */
export function rowLengthFor(drafts: readonly TrajectoryDraft[], configured: number | null): number {
  if (configured !== null) return configured;
  const longest = drafts
    .filter(({ balancedAdvantage }) => balancedAdvantage !== 0)
    .flatMap(({ sequences }) => sequences)
    .reduce((length, { ids }) => Math.max(length, ids.length), 1);
  return Math.min(MAX_DEFAULT_LENGTH, Math.ceil(longest / LENGTH_STEP) * LENGTH_STEP);
}

/** Cuts sequences to `maxLength` tokens, drops what then has nothing to train, and puts the rest in canonical order. */
export function selectSequences(drafts: readonly TrajectoryDraft[], maxLength: number): Selection {
  const groups = new Map<number, ChosenSequence[]>();
  const reasons = drafts.map((draft) => {
    const chosen = draft.balancedAdvantage === 0 ? [] : chooseFrom(draft, maxLength);
    if (chosen.length === 0) return reasonOf(draft);
    const members = groups.get(draft.group) ?? [];
    members.push(...chosen);
    groups.set(draft.group, members);
    return null;
  });
  return { reasons, groups: inCanonicalOrder([...groups.values()]) };
}

function reasonOf({ balancedAdvantage, reason }: TrajectoryDraft): DropReason {
  return balancedAdvantage === 0 ? 'zero_advantage' : (reason ?? 'too_long');
}

function chooseFrom(trajectory: TrajectoryDraft, maxLength: number): ChosenSequence[] {
  const trajectoryTokens = trajectory.sequences.reduce((sum, sequence) => sum + trainedTokensOf(sequence), 0);
  const cut = trajectory.sequences
    .map(({ ids, mask, old }) => ({
      ids: ids.slice(0, maxLength),
      mask: mask.slice(0, maxLength),
      old: old.slice(0, maxLength),
    }))
    .filter(({ mask }) => mask.includes(1));
  const hashes = cut.map((sequence) => sequenceHash(sequence, trajectory.reward));
  const { balancedAdvantage, initialPolicyVersion } = trajectory;
  const trajectoryHash = setHash([
    ...hashes,
    JSON.stringify([balancedAdvantage, initialPolicyVersion, trajectoryTokens]),
  ]);
  return cut.map((sequence, at) => ({
    ...sequence,
    trajectory,
    trainedTokens: trainedTokensOf(sequence),
    trajectoryTokens,
    hash: hashes[at] as string,
    trajectoryHash,
  }));
}

function inCanonicalOrder(groups: readonly (readonly ChosenSequence[])[]): ChosenSequence[][] {
  return groups
    .map((group) => ({
      sequences: group.toSorted(
        byKeys(
          ({ hash }) => hash,
          ({ trajectoryHash }) => trajectoryHash,
        ),
      ),
      hash: setHash(group.map(({ hash }) => hash)),
      trajectoriesHash: setHash(group.map(({ trajectoryHash }) => trajectoryHash)),
    }))
    .toSorted(
      byKeys(
        ({ hash }) => hash,
        ({ trajectoriesHash }) => trajectoriesHash,
      ),
    )
    .map(({ sequences }) => sequences);
}
