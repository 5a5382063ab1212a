import { Module } from '@nestjs/common';

import { ScorerLibraryController } from './scorer-library.controller.js';

/** Ready scorers, as data. */
@Module({ controllers: [ScorerLibraryController] })
export class ScorerLibraryModule {}
