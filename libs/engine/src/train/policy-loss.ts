import type { Graph, Value } from '../graph/index.js';
import * as ops from '../graph/index.js';
import type { RlLoss } from '../loss/index.js';

/** Inputs of the loss for each trained token, `[predictions]` each. */
interface TokenInputs {
  /** Log-probability under the policy that produced it; NaN: unknown, taken as today's. */
  readonly old: Value;
  readonly advantage: Value;
  /** Its trajectory's weight over the row's number of trained tokens. */
  readonly weight: Value;
}

/**
 * The reinforcement-learning loss of the tokens of a row, summed.
 *
 * CISPO: `-clip(sg(ratio)) A lp`. Source: MiniMax, "MiniMax-M1" (2025).
 * PPO: `-min(ratio A, clip(ratio) A)`. Source: Schulman et al., "Proximal Policy Optimization" (2017).
 *
 * @param lp raw log-probabilities of the trained tokens, `[predictions]`
 */
export function emitPolicyLoss(graph: Graph, loss: RlLoss, lp: Value, tokens: TokenInputs): Value {
  const frozen = ops.stopGradient(graph, lp);
  const old = ops.where(graph, ops.isNaN(graph, tokens.old), frozen, tokens.old);
  const frozenDifference = ops.subtract(graph, frozen, old);
  const advantage = ops.subtract(graph, tokens.advantage, ops.multiply(graph, frozenDifference, loss.tau));
  const frozenRatio = emitRatio(graph, loss, frozenDifference);
  const emitObjective = (): Value => {
    switch (loss.lossFn) {
      case 'cispo':
        return ops.multiply(graph, ops.multiply(graph, clipped(graph, loss, frozenRatio), advantage), lp);
      case 'ppo':
        return emitPpo(graph, loss, emitRatio(graph, loss, ops.subtract(graph, lp, old)), advantage);
    }
  };
  const weighted = ops.multiply(graph, emitObjective(), emitWeight(graph, loss, tokens.weight, frozenRatio));
  return ops.negate(graph, ops.sum(graph, weighted, [0]));
}

const clipped = (graph: Graph, loss: RlLoss, ratio: Value) =>
  ops.clip(graph, ratio, 1 - loss.epsilon, 1 + loss.epsilonHigh);

function emitPpo(graph: Graph, loss: RlLoss, ratio: Value, advantage: Value): Value {
  const free = ops.multiply(graph, ratio, advantage);
  // At a tie, inside the clip range, the first operand alone has the gradient: the unclipped side.
  return ops.minimum(graph, free, ops.multiply(graph, clipped(graph, loss, ratio), advantage));
}

/** The importance ratio of each token from `difference` = lp - old. */
function emitRatio(graph: Graph, loss: RlLoss, difference: Value): Value {
  const levelled = emitLevel(graph, loss, difference);
  const limited = loss.maxRatio === null ? levelled : ops.minimum(graph, levelled, graph.constant(loss.maxRatio));
  if (!loss.maskOutsideClip) return limited;
  const inside = ops.both(
    graph,
    ops.greater(graph, limited, 1 - loss.epsilon),
    ops.less(graph, limited, 1 + loss.epsilonHigh),
  );
  return ops.where(graph, inside, limited, 0);
}

function emitLevel(graph: Graph, loss: RlLoss, difference: Value): Value {
  if (loss.level === 'token') return ops.exponential(graph, difference);
  const ofSequence = emitSequenceMean(graph, difference);
  switch (loss.level) {
    case 'sequence':
      return ops.exponential(graph, ofSequence);
    case 'average':
      return ops.multiply(
        graph,
        ops.add(graph, ops.exponential(graph, difference), ops.exponential(graph, ofSequence)),
        0.5,
      );
    case 'geometric_average':
      return ops.exponential(graph, ops.multiply(graph, ops.add(graph, difference, ofSequence), 0.5));
  }
}

/** Each token's mean over the trained tokens of its own sequence. */
function emitSequenceMean(graph: Graph, difference: Value): Value {
  const averaging = graph.once('averaging', () => graph.input('averaging', 'float32', ['sequences', 'predictions']));
  const sequenceOf = graph.once('sequenceOf', () => graph.input('sequenceOf', 'int64', ['predictions']));
  const means = ops.matMul(graph, averaging, ops.reshape(graph, difference, ['predictions', 1]));
  return ops.reshape(graph, ops.gatherRows(graph, means, sequenceOf), ['predictions']);
}

function emitWeight(graph: Graph, loss: RlLoss, weight: Value, ratio: Value): Value {
  if (loss.truncation === null) return weight;
  // With log-probabilities recomputed under the parent, `driftRatio` is e^(old - logged); else the ratio itself.
  const drift = graph.input('driftRatio', 'float32', ['predictions']);
  const base = ops.where(graph, ops.isNaN(graph, drift), ratio, drift);
  return ops.multiply(graph, weight, ops.minimum(graph, base, graph.constant(loss.truncation)));
}
