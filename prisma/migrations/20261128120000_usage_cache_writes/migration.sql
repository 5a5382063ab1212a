-- Tokens written into a cache, and prices of these and of reasoning; null: as much as the other tokens of the prompt, or of the
-- completion. A constant default changes no row.
ALTER TABLE "usage_records" ADD COLUMN "cache_write_tokens" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "price_cache_write" BIGINT,
ADD COLUMN "price_reasoning" BIGINT;
