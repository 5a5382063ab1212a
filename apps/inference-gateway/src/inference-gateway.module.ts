import { AuthModule } from '@hone/auth';
import { Module } from '@nestjs/common';

import { CallerStore } from './chat-completions/caller.js';
import { ChatCompletionsHandler } from './chat-completions/chat-completions.handler.js';
import { METERING } from './chat-completions/metering.js';
import { DRAIN_MS, RequestDrain } from './chat-completions/request-drain.js';
import { RequestMetering } from './chat-completions/request-metering.js';
import { SettingsStore } from './chat-completions/gateway-settings.js';
import { UpstreamsFile } from './configuration/upstreams.config.js';
import { BUNDLED_MODELS, EmbeddedModels } from './embedded/index.js';
import { InferenceRoutes } from './inference.routes.js';
import { readModelsDir } from './inference-gateway.config.js';
import { GatewayModels } from './models/gateway-models.js';
import { ModelsHandler } from './models/models.handler.js';
import { ROUTE_DIRECTORY } from './models/route-directory.js';
import { OBSERVABILITY } from './observability/observability.providers.js';
import { TRAINED_PROVIDERS } from './trained/trained.providers.js';
import { readUsageConfig } from './usage/usage.config.js';
import { UsageModule } from './usage/usage.module.js';

/**
 * The inference gateway. Its layers, top first; an import may only point down (lint):
 *
 * - api: routes, handlers, wiring -> edge, catalogue, metering, telemetry, dispatch, targets, wire, shared
 * - edge: callers, reading bodies, CORS, drain, the form of errors, OpenAPI -> shared
 * - catalogue: configuration, routes, references to trained models: what a name means -> targets, dispatch, shared
 * - metering: limits, journal, records, reports -> shared
 * - telemetry: metrics, logs, spans -> dispatch, shared
 * - dispatch: run, attempts, plan, queue, health, stream relay -> targets/*.ts, shared
 * - targets: the port, and what is behind it: HTTP, vLLM, Tinker, embedded -> wire, shared
 * - wire: JSON and server-sent events -> shared
 * - shared: errors, clock
 */
@Module({
  imports: [AuthModule.forRoot(), UsageModule.forRoot(() => readUsageConfig(new UpstreamsFile().read().journal))],
  providers: [
    CallerStore,
    SettingsStore,
    ChatCompletionsHandler,
    ModelsHandler,
    InferenceRoutes,
    RequestDrain,
    { provide: DRAIN_MS, useFactory: (file: UpstreamsFile) => file.read().drainMs, inject: [UpstreamsFile] },
    { provide: UpstreamsFile, useFactory: () => new UpstreamsFile() },
    {
      provide: EmbeddedModels,
      useFactory: (file: UpstreamsFile) => {
        const { compileMs, compileStates } = file.read().limits;
        const places = { bundledDir: BUNDLED_MODELS, modelsDir: readModelsDir() };
        return new EmbeddedModels({ places, engine: { compileMs, compileStates } });
      },
      inject: [UpstreamsFile],
    },
    ...OBSERVABILITY,
    ...TRAINED_PROVIDERS,
    { provide: ROUTE_DIRECTORY, useClass: GatewayModels },
    { provide: METERING, useClass: RequestMetering },
  ],
})
export class InferenceGatewayModule {}
