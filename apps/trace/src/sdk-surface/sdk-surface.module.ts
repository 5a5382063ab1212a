import { RefScheme, SERVICE_CONFIG } from '@hone/platform';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

import { ObjectsModule } from '../objects/objects.module.js';
import { CompletionsController } from './completions/completions.controller.js';
import { CompletionsService } from './completions/completions.service.js';
import { DatasetSourceRepository } from './dataset-sources/dataset-source.repository.js';
import { DatasetSourcesController } from './dataset-sources/dataset-sources.controller.js';
import { DatasetSourcesService } from './dataset-sources/dataset-sources.service.js';
import { GraphqlService } from './server/graphql.service.js';
import { SdkServerController } from './server/server.controller.js';
import { SdkSettingsController } from './server/settings.controller.js';
import { addSdkSurface } from './surface.js';

/**
 * The surface for unmodified SDKs of the system "Weave": `/compat/weave/*`, and `/traces/*` and `/graphql` at the root.
 *
 * A request is routed to the canonical handler under our names (`requests`), and its answer leaves under theirs
 * (`answers`); `names.ts` has the tables, `surface.ts` the hooks. Only what SDKs ask before they send anything has handlers
 * of its own (`server`).
 */
@Module({
  imports: [ObjectsModule],
  controllers: [SdkServerController, SdkSettingsController, CompletionsController, DatasetSourcesController],
  providers: [GraphqlService, CompletionsService, DatasetSourcesService, DatasetSourceRepository],
})
export class SdkSurfaceModule implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly refScheme: RefScheme,
    @Inject(SERVICE_CONFIG) private readonly config: { isSdkSurfaceOff?: boolean },
  ) {}

  onModuleInit(): void {
    addSdkSurface(this.host.httpAdapter.getInstance() as FastifyInstance, {
      isOn: this.config.isSdkSurfaceOff !== true,
      refScheme: this.refScheme.name,
    });
  }
}
