import { Environment } from '@hone/platform';

/** What the evaluation service reads from its environment beyond what every service does. */
export interface EvaluationConfig {
  /** Where the inference gateway listens, through which models are called; undefined: none is. */
  gatewayUrl: string | undefined;
}

/** Injection token of the {@link EvaluationConfig}. */
export const EVALUATION_CONFIG = Symbol('EvaluationConfig');

export const readEvaluationConfig = (environment = new Environment()): EvaluationConfig => ({
  gatewayUrl: environment.origin('HONE_GATEWAY_URL'),
});
