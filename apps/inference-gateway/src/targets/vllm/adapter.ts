import type { TrainedCheckpoint } from '../upstream.js';

/** A checkpoint as a LoRA adapter of a server. */
export interface Adapter {
  /** `<model id>-s<step>`: names the same weights for good, because steps are never used again. */
  readonly name: string;
  readonly modelId: string;
  readonly step: number;
  /** The base model, by its name at the server. */
  readonly base: string;
  readonly checkpoint: TrainedCheckpoint;
}

const NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-s\d{1,10}$/;

export const adapterName = (modelId: string, step: number): string => `${modelId}-s${step}`;

/** Whether a model of a server has a name that gateways give. */
export const isAdapterName = (name: string): boolean => NAME.test(name);
