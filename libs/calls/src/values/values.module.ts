import { Module } from '@nestjs/common';

import { FileRepository } from './file.repository.js';
import { ValueRepository } from './value.repository.js';

@Module({ providers: [ValueRepository, FileRepository], exports: [ValueRepository, FileRepository] })
export class ValuesModule {}
