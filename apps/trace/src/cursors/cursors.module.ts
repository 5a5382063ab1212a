import { Module } from '@nestjs/common';

import { CursorKeyRepository } from './cursor-key.repository.js';
import { Cursors } from './cursors.js';

@Module({ providers: [Cursors, CursorKeyRepository], exports: [Cursors] })
export class CursorsModule {}
