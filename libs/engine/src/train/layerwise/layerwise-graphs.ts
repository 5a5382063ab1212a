import type { InferenceSession, Tensor } from 'onnxruntime-node';

import { openSession } from '../../runtime/session.js';
import type { Feeds } from '../micro-batch-feeds.js';
import { SessionCache } from '../session-cache.js';
import type { TrainGraphSettings } from '../train-graph.js';
import { trainedLayout } from '../trained-parameters.js';
import { buildHeadGraph, type HeadStage } from './head-graph.js';
import { buildLayerGraph, layerSizeOf, type LayerStage } from './layer-graph.js';
import { buildLossGraph, buildNormGraph, buildUpdateGraph } from './loss-graph.js';

export type LayerwiseGraph = `layer ${LayerStage}` | `head ${HeadStage}` | 'loss' | 'norm' | 'update';

/** Where outputs are written; null: into memory of their own. */
type Targets = Readonly<Record<string, Tensor | null>>;

/** The graphs of layerwise training. Each is opened when it is first run. */
export class LayerwiseGraphs {
  private readonly sessions: SessionCache<LayerwiseGraph>;

  constructor(settings: TrainGraphSettings, threads: number) {
    this.sessions = new SessionCache((graph) => open(settings, graph, threads));
  }

  /** Takes from `feeds` what the graph asks for. */
  async run(graph: LayerwiseGraph, feeds: Feeds, targets: Targets): Promise<Feeds> {
    const session = await this.sessions.get(graph);
    const asked = Object.fromEntries(session.inputNames.map((name) => [name, feeds[name] as Tensor]));
    return (await session.run(asked, targets)) as Feeds;
  }

  async open(graphs: readonly LayerwiseGraph[]): Promise<void> {
    for (const graph of graphs) await this.sessions.get(graph);
  }

  release(): Promise<void> {
    return this.sessions.release();
  }
}

function open(settings: TrainGraphSettings, graph: LayerwiseGraph, threads: number): Promise<InferenceSession> {
  // Memory of one layer's pass returns to the system before the next: an arena would keep its largest size.
  return openSession(encode(settings, graph), threads, { areMany: true, keepsMemory: false });
}

function encode({ config, part, loss, optimiser }: TrainGraphSettings, graph: LayerwiseGraph): Uint8Array {
  switch (graph) {
    case 'loss':
      return buildLossGraph(loss);
    case 'norm':
      return buildNormGraph(trainedLayout(config, part).size);
    case 'update':
      return buildUpdateGraph(optimiser, layerSizeOf(config, part));
    case 'head score':
    case 'head slope':
    case 'head norm':
      return buildHeadGraph(config, graph.slice('head '.length) as HeadStage);
    default:
      return buildLayerGraph(config, part, graph.slice('layer '.length) as LayerStage);
  }
}
