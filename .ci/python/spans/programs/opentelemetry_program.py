import chat
import provider
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader

tracer_provider = provider.make()
logger_provider = LoggerProvider()
logger_provider.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
meter_provider = MeterProvider([PeriodicExportingMetricReader(OTLPMetricExporter())])
OpenAIInstrumentor().instrument(
    tracer_provider=tracer_provider, logger_provider=logger_provider, meter_provider=meter_provider
)
chat.ask()
for each in (tracer_provider, logger_provider, meter_provider):
    each.shutdown()
