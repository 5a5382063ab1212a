import type { Tensor } from 'onnxruntime-node';

import type { RunnerStep } from '../step-runner.js';
import { scalar, updateFeeds, vector } from '../tensors.js';
import type { TrainGraphSettings } from '../train-graph.js';
import { type TrainState, withVectors } from '../train-state.js';
import { layerSizeOf } from './layer-graph.js';
import type { LayerwiseGraphs } from './layerwise-graphs.js';
import type { Scratch } from './scratch.js';

/** The optimiser's step, layer by layer: its intermediate values are then as small as a layer. */
export class LayeredUpdate {
  private readonly layerSize: number;

  constructor(
    private readonly settings: TrainGraphSettings,
    private readonly graphs: LayerwiseGraphs,
    private readonly scratch: Scratch,
  ) {
    this.layerSize = layerSizeOf(settings.config, settings.part);
  }

  /**
   * @param gradient of all trained parameters
   * @returns the next state, in the memory of the one before `state`
   */
  async run(
    state: TrainState,
    gradient: Float32Array,
    learningRate: number,
  ): Promise<Pick<RunnerStep, 'gradientNorm' | 'state'>> {
    const results = await this.graphs.run('norm', { gradient: vector(gradient) }, { gradientNorm: null });
    const gradientNorm = scalar(results, 'gradientNorm');
    const next = this.nextState(state);
    for (let start = 0; start < gradient.length; start += this.layerSize) {
      const part = (data: Float32Array) => data.subarray(start, start + this.layerSize);
      const [now, then] = [withVectors(state, part), withVectors(next, part)];
      const feeds = {
        ...updateFeeds(this.settings.optimiser, now, learningRate),
        parameters: vector(now.parameters),
        gradient: vector(part(gradient)),
        gradientNorm: results['gradientNorm'] as Tensor,
      };
      await this.graphs.run('update', feeds, {
        newParameters: vector(then.parameters),
        newFirstMoment: vector(then.firstMoment),
        newSecondMoment: vector(then.secondMoment),
      });
    }
    return { gradientNorm, state: next };
  }

  private nextState({ parameters, updates }: TrainState): TrainState {
    const take = (name: string) => this.scratch.take(`${name} ${updates % 2}`, parameters.length);
    return {
      parameters: take('parameters'),
      firstMoment: take('first moment'),
      secondMoment: take('second moment'),
      updates: updates + 1,
    };
  }
}
