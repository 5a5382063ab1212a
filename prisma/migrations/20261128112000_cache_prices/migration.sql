-- Prices of tokens of caches and of reasoning; null: as much as the other tokens of the prompt, or of the completion.
ALTER TABLE "costs" ADD COLUMN "cache_read_input_token_cost" DOUBLE PRECISION,
ADD COLUMN "cache_creation_input_token_cost" DOUBLE PRECISION,
ADD COLUMN "reasoning_token_cost" DOUBLE PRECISION;

-- A count of tokens, which some clients send as text; null: it is none. Statistics read usage in many spellings with it.
CREATE FUNCTION "hone_count"(value jsonb) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE jsonb_typeof(value)
    WHEN 'number' THEN CASE WHEN value::numeric >= 0 THEN value::numeric END
    WHEN 'string' THEN CASE WHEN (value #>> '{}') ~ '^\d{1,15}(\.\d+)?$' THEN (value #>> '{}')::numeric END
  END
$$;
