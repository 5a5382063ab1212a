import { Module } from '@nestjs/common';

import { ErasedDigestsRepository } from './erased-digests.repository.js';
import { FileRepository } from './file.repository.js';
import { ValueRepository } from './value.repository.js';

@Module({
  providers: [ValueRepository, FileRepository, ErasedDigestsRepository],
  exports: [ValueRepository, FileRepository, ErasedDigestsRepository],
})
export class ValuesModule {}
