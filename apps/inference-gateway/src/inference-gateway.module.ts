import { AuthModule } from '@hone/auth';
import { Module } from '@nestjs/common';

import { ChatCompletionsHandler } from './api/chat-completions/chat-completions.handler.js';
import { RequestMetering } from './api/chat-completions/request-metering.js';
import { GatewayStateController } from './api/gateway-state/gateway-state.controller.js';
import { GatewayStateService } from './api/gateway-state/gateway-state.service.js';
import { InferenceRoutes } from './api/inference.routes.js';
import { LimitsController } from './api/limits/limits.controller.js';
import { ModelsHandler } from './api/models/models.handler.js';
import { UsageReportController } from './api/usage/usage-report.controller.js';
import { UpstreamsFile } from './catalogue/configuration/upstreams.config.js';
import { GatewayModels } from './catalogue/models/gateway-models.js';
import { TRAINED_PROVIDERS } from './catalogue/trained/trained.providers.js';
import { CallerStore } from './edge/caller-store.js';
import { DRAIN_MS, RequestDrain } from './edge/request-drain.js';
import { MeteringModule } from './metering/metering.module.js';
import { readUsageConfig } from './metering/recording/usage.config.js';
import { SettingsStore } from './shared/gateway-settings.js';
import {
  readMaxCheckpointBytes,
  readMaxParams,
  readSilenceMs,
  readModelsDir,
  readWeightForm,
} from './shared/gateway.config.js';
import { MetricRegistry } from './shared/metrics/metric-registry.js';
import { BUNDLED_MODELS, EmbeddedModels } from './targets/embedded/embedded-models.js';
import { CONFIGURED_ROUTES } from './telemetry/metrics/target-metrics.js';
import { TELEMETRY_PROVIDERS } from './telemetry/telemetry.providers.js';

/**
 * The inference gateway. Its layers, top first; an import may only point down (lint):
 *
 * - api: routes, handlers, wiring -> edge, catalogue, metering, call-log, telemetry, dispatch, targets, wire, shared
 * - edge: authentication, body reading, CORS, drain, error form, OpenAPI -> shared
 * - catalogue: configuration, routes, references to trained models: what a name means -> targets, dispatch, shared
 * - metering: limits, journal, records, reports -> call-log, shared
 * - call-log: requests and answers, kept as calls -> wire, shared
 * - telemetry: metrics, logs, spans -> dispatch, shared
 * - dispatch: run, attempts, plan, queue, health, stream relay -> targets/*.ts, shared
 * - targets: the port, and the engines behind it: HTTP servers, the embedded engine -> wire, shared
 * - wire: JSON and server-sent events -> shared
 * - shared: errors, clock, settings, metrics
 */
@Module({
  imports: [AuthModule.forRoot(), MeteringModule.forRoot(() => readUsageConfig(new UpstreamsFile().read().journal))],
  controllers: [GatewayStateController, LimitsController, UsageReportController],
  providers: [
    CallerStore,
    ChatCompletionsHandler,
    InferenceRoutes,
    MetricRegistry,
    GatewayModels,
    GatewayStateService,
    ModelsHandler,
    RequestDrain,
    RequestMetering,
    SettingsStore,
    { provide: DRAIN_MS, useFactory: (file: UpstreamsFile) => file.read().drainMs, inject: [UpstreamsFile] },
    { provide: UpstreamsFile, useFactory: () => new UpstreamsFile() },
    {
      provide: EmbeddedModels,
      useFactory: (file: UpstreamsFile) => {
        const { compileMs, compileStates } = file.read().limits;
        const sources = { bundledDir: BUNDLED_MODELS, modelsDir: readModelsDir() };
        const bounds = {
          maxParams: readMaxParams(),
          maxCheckpointBytes: readMaxCheckpointBytes(),
          silenceMs: readSilenceMs(),
        };
        return new EmbeddedModels({
          sources,
          engine: { compileMs, compileStates, ...bounds, weights: readWeightForm() },
        });
      },
      inject: [UpstreamsFile],
    },
    { provide: CONFIGURED_ROUTES, useExisting: GatewayModels },
    ...TELEMETRY_PROVIDERS,
    ...TRAINED_PROVIDERS,
  ],
})
export class InferenceGatewayModule {}
