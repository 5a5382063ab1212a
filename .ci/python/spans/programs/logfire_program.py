import chat
import logfire

logfire.configure(send_to_logfire=False, console=False)
logfire.instrument_openai()
with logfire.span("Answer {question}", question="2+2?"):
    chat.ask()
logfire.shutdown()
