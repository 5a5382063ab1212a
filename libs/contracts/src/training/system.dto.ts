import { IsOptional } from 'class-validator';

import { Example } from '../schema/example.js';
import { Nested, NestedList } from '../validation/rule.js';
import { IsFlag, IsNumber, IsText, IsTextList, IsWord } from '../validation/rules.js';

/** Answer of `GET /v1/health`. */
@Example({ status: 'ok', version: '0.1.0' })
export class HealthDto {
  /** Always `ok`. */
  @IsWord(['ok']) status!: 'ok';
  /** Version of the server. */
  @IsText() version!: string;
}

/** Whether jobs of a queue find a worker. */
export class QueueCheckDto {
  /** Whether the check found nothing wrong. */
  @IsFlag() success!: boolean;
  /** Seconds that the check took. */
  @IsNumber({ min: 0 }) duration!: number;
  /** What is wrong, in short sentences; empty when nothing is. */
  @IsTextList() errors!: string[];
}

/** Whether jobs for training servers find theirs. */
export class GpuQueueCheckDto extends QueueCheckDto {
  /** Whether there is a training server at all; without one the check succeeds. */
  @IsFlag() configured!: boolean;
}

/** An engine that trains. */
export class EngineCheckDto {
  /** Its name in the configuration; `embedded`: this installation's CPUs. */
  @IsText() name!: string;
  /** Who trains: this installation, or a server that speaks the Tinker protocol. */
  @IsWord(['embedded', 'tinker']) kind!: 'embedded' | 'tinker';
  /** Whether it answered within 2 s; embedded: whether a trainer reported in the last 15 s. */
  @IsFlag() reachable!: boolean;
  /** Base models whose first jobs go there; null: every base model that no engine before it lists. */
  @IsOptional() @IsTextList() models!: string[] | null;
}

/** Answer of `GET /v1/system-check`: 200 when all is well, else 503 with the same body. */
@Example({
  api: true,
  database: true,
  cpu_queue: { success: true, duration: 0.004, errors: [] },
  gpu_queue: { success: true, duration: 0, errors: [], configured: false },
  engines: [{ name: 'embedded', kind: 'embedded', reachable: true, models: null }],
})
export class SystemCheckDto {
  /** Whether the service itself works. */
  @IsFlag() api!: boolean;
  /** Whether the database answers within 2 s. */
  @IsFlag() database!: boolean;
  /** Whether a job can be claimed, and a worker on this installation's CPUs reported in the last 15 s. */
  @Nested(() => QueueCheckDto) cpu_queue!: QueueCheckDto;
  /** Whether every training server answers, where there are any. */
  @Nested(() => GpuQueueCheckDto) gpu_queue!: GpuQueueCheckDto;
  /** Every engine, in the order in which they are asked whether they have a job's base model. */
  @NestedList(() => EngineCheckDto) engines!: EngineCheckDto[];
}
