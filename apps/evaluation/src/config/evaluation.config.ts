import { Environment } from '@hone/platform';
import { type AllowedHosts, readHosts } from '@hone/platform/url-guard';

/** What the evaluation service reads from its environment beyond what every service does. */
export interface EvaluationConfig {
  /** Where the inference gateway listens, through which models are called; undefined: none is. */
  gatewayUrl: string | undefined;
  /** Where the training service listens, by which pipelines train; absent: none does. */
  trainingUrl?: string | undefined;
  /** Where the trace service listens, which keeps the held-out rows of improvements; absent: there are none. */
  traceUrl?: string | undefined;
  /** Servers of one's own that may be asked for verdicts; absent: none. */
  scorerHosts?: AllowedHosts | undefined;
  /** Signs requests to them; absent: they are not signed. */
  scorerSecret?: string | undefined;
}

/** Injection token of the {@link EvaluationConfig}. */
export const EVALUATION_CONFIG = Symbol('EvaluationConfig');

export const SCORER_HOSTS_VARIABLE = 'HONE_SCORER_HOSTS';
const MIN_SECRET = 16;

export function readEvaluationConfig(environment = new Environment()): EvaluationConfig {
  const hosts = readHosts(environment, SCORER_HOSTS_VARIABLE);
  const privateHosts = readHosts(environment, 'HONE_SCORER_PRIVATE_HOSTS') ?? [];
  return {
    gatewayUrl: environment.origin('HONE_GATEWAY_URL'),
    trainingUrl: environment.origin('HONE_TRAINING_URL'),
    traceUrl: environment.origin('HONE_TRACE_URL'),
    scorerHosts: hosts === undefined ? undefined : { hosts, privateHosts },
    scorerSecret: environment.optional(
      'HONE_SCORER_SECRET',
      `at least ${MIN_SECRET} characters`,
      (text) => text.length >= MIN_SECRET,
    ),
  };
}
