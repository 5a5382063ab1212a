import { startTestApp, type TestApp } from '@hone/testing';

import { EvaluationModule } from './evaluation.module.js';

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9';
/** One object, so that its booted service is used again. */
const MODULE = EvaluationModule.forRoot(() => ({ gatewayUrl: undefined, trainingUrl: NOWHERE }));

/** The evaluation service, which calls no model and trains none. */
export const startEvaluation = (): Promise<TestApp> => startTestApp(MODULE);
