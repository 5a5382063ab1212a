import { type Constant, type DataType, type Dim, Graph, type Value } from '../../graph/index.js';
import type { FloatTensor } from '../../tensor.js';

/** A graph that has vectors of a model, such as the scales of its norms, as constants where others have inputs. */
export class ConstantGraph extends Graph {
  /**
   * @param vectors by the names of the inputs
   * @param onConstant told of each constant
   */
  constructor(
    private readonly vectors: ReadonlyMap<string, FloatTensor>,
    private readonly onConstant: (constant: Constant) => void,
  ) {
    super();
  }

  override input(name: string, type: DataType, shape: readonly Dim[]): Value {
    const vector = this.vectors.get(name);
    if (vector === undefined) return super.input(name, type, shape);
    return this.once(`vector ${name}`, () => this.constant(vector.data, vector.shape));
  }

  protected override addConstant(constant: Constant): Value {
    this.onConstant(constant);
    return super.addConstant(constant);
  }
}
