import { Module } from '@nestjs/common';

import { EvaluationAccess } from './evaluation-access.js';

@Module({ providers: [EvaluationAccess], exports: [EvaluationAccess] })
export class AccessModule {}
