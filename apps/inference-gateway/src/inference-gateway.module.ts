import { AuthModule } from '@hone/auth';
import { ValuesModule } from '@hone/calls';
import { Module } from '@nestjs/common';

import { UpstreamsFile } from './catalogue/configuration/upstreams.config.js';
import { GatewayModels } from './catalogue/models/gateway-models.js';
import { TRAINED_PROVIDERS } from './catalogue/trained/trained.providers.js';
import { ChatController } from './chat/chat.controller.js';
import { ChatFastPath } from './chat/chat.fast-path.js';
import { PIPELINE_PROVIDERS } from './chat/chat.pipeline.js';
import { TokenCounter } from './chat/token-counter.js';
import { CompletionsController } from './doors/completions/completions.controller.js';
import { EmbeddingsController } from './doors/embeddings/embeddings.controller.js';
import { ImagesController } from './doors/images/images.controller.js';
import { CountTokensController } from './doors/messages/count-tokens.controller.js';
import { MessagesController } from './doors/messages/messages.controller.js';
import { ResponsesController } from './doors/responses/responses.controller.js';
import { RESPONSES_PROVIDERS } from './doors/responses/responses.providers.js';
import { SpeechController } from './doors/speech/speech.controller.js';
import { TranscriptionsController } from './doors/transcriptions/transcriptions.controller.js';
import { CallerStore } from './http/caller-store.js';
import { DRAIN_MS, Exchanges } from './http/exchanges.js';
import { InferenceServer } from './http/inference-server.js';
import { LimitsModule } from './limits/limits.module.js';
import { MeteringModule } from './metering/metering.module.js';
import { readUsageConfig } from './metering/recording/usage.config.js';
import { ModelsController } from './models/models.controller.js';
import { ModelsService } from './models/models.service.js';
import {
  readMaxCheckpointBytes,
  readMaxParams,
  readModelsDir,
  readSilenceMs,
  readWeightForm,
} from './shared/gateway.config.js';
import { SettingsStore } from './shared/gateway-settings.js';
import { MetricRegistry } from './shared/metrics/metric-registry.js';
import { GatewayStateController } from './state/gateway-state.controller.js';
import { GatewayStateService } from './state/gateway-state.service.js';
import { BUNDLED_MODELS, EmbeddedModels } from './targets/embedded/embedded-models.js';
import { CONFIGURED_ROUTES } from './telemetry/metrics/target-metrics.js';
import { TELEMETRY_PROVIDERS } from './telemetry/telemetry.providers.js';
import { UsageModule } from './usage/usage.module.js';

/**
 * The inference gateway. Its layers, top first; an import may only point down (lint):
 *
 * - doors: other forms of requests and answers -> chat, openapi, http, metering, call-log, dispatch, wire, shared
 * - chat: chat completions, step by step -> openapi, http, catalogue, metering, call-log, telemetry, dispatch, targets, wire, shared
 * - models: the list of models -> openapi, http, catalogue, metering, shared
 * - state: health and load of routes and targets -> catalogue, dispatch, shared
 * - limits: reads and sets limits -> metering
 * - usage: reports of usage -> metering
 * - openapi: how the inference API is documented -> http, catalogue, metering, call-log, dispatch, shared
 * - http: connections, authentication, CORS, drain, paths that no controller takes -> shared
 * - catalogue: configuration, routes, references to trained models: what a name means -> targets, dispatch, shared
 * - metering: limits, journal, records -> call-log, shared
 * - call-log: requests and answers, kept as calls -> wire, shared
 * - telemetry: metrics, logs, spans -> dispatch, shared
 * - dispatch: run, attempts, plan, queue, health, stream relay -> targets/*.ts, shared
 * - targets: the port, and the engines behind it: HTTP servers, the embedded engine -> wire, shared
 * - wire: server-sent events -> shared
 * - shared: errors, clock, settings, metrics
 */
@Module({
  imports: [
    AuthModule.forRoot(),
    MeteringModule.forRoot(() => readUsageConfig(new UpstreamsFile().read().journal)),
    LimitsModule,
    ValuesModule,
    UsageModule,
  ],
  controllers: [
    ChatController,
    MessagesController,
    CountTokensController,
    ResponsesController,
    CompletionsController,
    EmbeddingsController,
    ImagesController,
    SpeechController,
    TranscriptionsController,
    ModelsController,
    GatewayStateController,
  ],
  providers: [
    CallerStore,
    Exchanges,
    InferenceServer,
    MetricRegistry,
    GatewayModels,
    GatewayStateService,
    ModelsService,
    SettingsStore,
    ChatFastPath,
    ...PIPELINE_PROVIDERS,
    ...RESPONSES_PROVIDERS,
    TokenCounter,
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
