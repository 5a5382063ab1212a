import { measureCheckpointLoad } from './checkpoint-load.mjs';
import { measureDecode } from './decode.mjs';
import { rlDemo } from './demos/rl-demo.mjs';
import { sftDemo } from './demos/sft-demo.mjs';
import { measureDeterminism } from './determinism.mjs';
import { measureEventLoop } from './event-loop.mjs';
import { measureFirstToken } from './first-token.mjs';
import { measureMemory } from './memory.mjs';
import { measureAgreement } from './own-model/agreement.mjs';
import { measureOwnMemory } from './own-model/memory.mjs';
import { measureMergedAdapter } from './own-model/merged-adapter.mjs';
import { measureNewCheckpoint } from './own-model/new-checkpoint.mjs';
import { measureOwnPreference } from './own-model/preference-training.mjs';
import { measureSampling } from './own-model/sampling.mjs';
import { measureSpeed } from './own-model/speed.mjs';
import { measureOwnTraining } from './own-model/training.mjs';
import { measureTrainStep } from './train-step.mjs';

/** In the order they run; names are for `--only`. */
export const measures = {
  'train-step': measureTrainStep,
  decode: measureDecode,
  'first-token': measureFirstToken,
  'checkpoint-load': measureCheckpointLoad,
  'event-loop': measureEventLoop,
  memory: measureMemory,
  determinism: measureDeterminism,
  'sft-demo': sftDemo,
  'rl-demo': rlDemo,
};

/** Those of `--model`. */
export const measuresOfModel = {
  speed: measureSpeed,
  memory: measureOwnMemory,
  'new-checkpoint': measureNewCheckpoint,
  agreement: measureAgreement,
  training: measureOwnTraining,
  preference: measureOwnPreference,
  'merged-adapter': measureMergedAdapter,
  sampling: measureSampling,
};
