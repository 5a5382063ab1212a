import { AcceptsUnknownFields, IsFlag, IsJsonObject, IsProjectId, IsText } from '@hone/contracts';
import { IsOptional } from 'class-validator';

/** Body of `POST /completions/create` and `/completions/create_stream`. */
@AcceptsUnknownFields()
export class CompletionDto {
  /** Project in which the call is kept. */
  @IsProjectId() project_id!: string;
  /** A request for a chat completion, and how to make its messages. */
  @IsJsonObject() inputs!: Record<string, unknown>;
  /** Whether the completion is kept as a call. Absent or null: true. */
  @IsOptional() @IsFlag() track_llm_call?: boolean | null;
  /** Trace of the call. Absent or null: a new one. */
  @IsOptional() @IsText({ min: 1, max: 128 }) trace_id?: string | null;
  /** Call that made it. Absent or null: none. */
  @IsOptional() @IsText({ min: 1, max: 128 }) parent_id?: string | null;
}
