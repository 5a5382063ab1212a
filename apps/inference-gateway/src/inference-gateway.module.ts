import { AuthModule } from '@hone/auth';
import { Module } from '@nestjs/common';

import { ChatCompletionsHandler } from './api/chat-completions/chat-completions.handler.js';
import { RequestMetering } from './api/chat-completions/request-metering.js';
import { InferenceRoutes } from './api/inference.routes.js';
import { LimitsController } from './api/limits/limits.controller.js';
import { ModelsHandler } from './api/models/models.handler.js';
import { UsageReportController } from './api/usage/usage-report.controller.js';
import { UpstreamsFile } from './catalogue/configuration/upstreams.config.js';
import { ModelCatalogue } from './catalogue/models/model-catalogue.js';
import { TRAINED_PROVIDERS } from './catalogue/trained/trained.providers.js';
import { CallerStore } from './edge/caller-store.js';
import { DRAIN_MS, RequestDrain } from './edge/request-drain.js';
import { MeteringModule } from './metering/metering.module.js';
import { readUsageConfig } from './metering/recording/usage.config.js';
import { readModelsDir } from './shared/gateway.config.js';
import { SettingsStore } from './shared/gateway-settings.js';
import { MetricRegistry } from './shared/metrics/metric-registry.js';
import { BUNDLED_MODELS, EmbeddedModels } from './targets/embedded/embedded-models.js';
import { CONFIGURED_ROUTES } from './telemetry/metrics/target-metrics.js';
import { TELEMETRY_PROVIDERS } from './telemetry/telemetry.providers.js';

/**
 * The inference gateway. A request flows down these layers, and imports only point down:
 *
 * - `api`: routes, handlers, wiring -> all below
 * - `edge`: callers, body reading, CORS, drain, OpenAPI -> shared
 * - `catalogue`: configuration, routes, trained references: what a model id means -> dispatch, targets, shared
 * - `metering`: limits, journal, records, reports -> shared
 * - `telemetry`: metrics, logs, spans; hangs on dispatch's hooks -> dispatch, shared
 * - `dispatch`: attempts, fault table, queue, health, stream relay -> the port of targets, shared
 * - `targets`: the port `target.ts`, and the engines that implement it: `http`, `embedded` -> wire, shared
 * - `wire`: JSON and SSE on the level of bytes -> shared
 * - `shared`: errors, clock, settings, metrics
 */
@Module({
  imports: [AuthModule.forRoot(), MeteringModule.forRoot(() => readUsageConfig(new UpstreamsFile().read().journal))],
  controllers: [LimitsController, UsageReportController],
  providers: [
    CallerStore,
    ChatCompletionsHandler,
    InferenceRoutes,
    MetricRegistry,
    ModelCatalogue,
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
        const places = { bundledDir: BUNDLED_MODELS, modelsDir: readModelsDir() };
        return new EmbeddedModels({ places, engine: { compileMs, compileStates } });
      },
      inject: [UpstreamsFile],
    },
    { provide: CONFIGURED_ROUTES, useExisting: ModelCatalogue },
    ...TELEMETRY_PROVIDERS,
    ...TRAINED_PROVIDERS,
  ],
})
export class InferenceGatewayModule {}
