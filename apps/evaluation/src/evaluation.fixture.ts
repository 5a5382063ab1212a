import { startTestApp, type TestApp } from '@hone/testing';

import { EvaluationModule } from './evaluation.module.js';

/** One object, so that its booted service is used again. */
const MODULE = EvaluationModule.forRoot(() => ({ gatewayUrl: undefined }));

/** The evaluation service, which calls no model. */
export const startEvaluation = (): Promise<TestApp> => startTestApp(MODULE);
