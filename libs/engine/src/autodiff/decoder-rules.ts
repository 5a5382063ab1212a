import type { Value } from '../graph/index.js';
import * as ops from '../graph/index.js';
import { ofFirst, type Rules } from './rule.js';

export const DECODER_RULES: Rules = {
  // With u = dy * scale and r = 1 / sqrt(mean(x^2) + epsilon): dx = r (u - x r^2 mean(u x)), dscale = sum(dy x r).
  SimplifiedLayerNormalization: (backward) => {
    const { graph, gradient, inputs, node } = backward;
    const [value, scale] = inputs as readonly [Value, Value];
    const inverse = node.outputs[1] as Value;
    const last = value.shape.length - 1;
    const ofValue = () => {
      const scaled = ops.multiply(graph, gradient, scale);
      const projection = ops.mean(graph, ops.multiply(graph, scaled, value), [last], true);
      const share = ops.multiply(graph, projection, ops.multiply(graph, inverse, inverse));
      return ops.multiply(graph, inverse, ops.subtract(graph, scaled, ops.multiply(graph, value, share)));
    };
    const ofScale = () => {
      const rows = value.shape.slice(0, -1).map((_, axis) => axis);
      return ops.sum(graph, ops.multiply(graph, gradient, ops.multiply(graph, value, inverse)), rows);
    };
    return [backward.needs(0) ? ofValue() : null, backward.needs(1) ? ofScale() : null];
  },
  // A rotation's gradient is turned back by the same angle.
  RotaryEmbedding: ofFirst(({ graph, gradient, inputs }) => {
    const [, positions, cosines, sines] = inputs as readonly [Value, Value, Value, Value];
    const backwards = graph.once(`minus ${sines.name}`, () => ops.negate(graph, sines));
    return ops.rotary(graph, gradient, positions, cosines, backwards);
  }),
  QuickGelu: ofFirst(({ graph, gradient, inputs, output }) => {
    // d(g s(g)) = s + g s (1 - s) = s + y (1 - s), with s the sigmoid of g.
    const s = ops.sigmoid(graph, inputs[0] as Value);
    const slope = ops.add(graph, s, ops.multiply(graph, output, ops.subtract(graph, graph.constant(1), s)));
    return ops.multiply(graph, gradient, slope);
  }),
};
