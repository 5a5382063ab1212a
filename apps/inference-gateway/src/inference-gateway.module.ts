import { Module } from '@nestjs/common';

/** Answers nothing but its probes and its documentation until its first feature comes. */
@Module({})
export class InferenceGatewayModule {}
