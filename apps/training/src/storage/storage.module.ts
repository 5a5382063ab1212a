import { type ArtifactStore, openArtifactStore } from '@hone/artifacts';
import { Readiness } from '@hone/platform';
import { Inject, Module } from '@nestjs/common';

import { TRAINING_CONFIG, type TrainingConfig } from '../config/training.config.js';
import { ARTIFACT_STORE } from './artifact-store.token.js';

/** Provides the artifact store that trainers and gateways share with this service. */
@Module({
  providers: [
    {
      provide: ARTIFACT_STORE,
      useFactory: ({ dataDir }: TrainingConfig) => openArtifactStore(dataDir),
      inject: [TRAINING_CONFIG],
    },
  ],
  exports: [ARTIFACT_STORE],
})
export class StorageModule {
  constructor(@Inject(ARTIFACT_STORE) store: ArtifactStore, readiness: Readiness) {
    readiness.add('artifacts', () => store.ping());
  }
}
