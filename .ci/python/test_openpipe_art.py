"""Reinforcement learning through openpipe-art's client of a hosted service, unmodified."""

import os

import art
import pytest
from art.serverless.backend import ServerlessBackend
from openai import NotFoundError

QUESTION = {"role": "user", "content": "What is 9 minus 4?"}


@pytest.fixture
async def model(tmp_path):
    """A registered model without a checkpoint."""
    backend = ServerlessBackend(api_key=os.environ["HONE_API_KEY"], base_url=os.environ["HONE_URL"] + "/v1")
    model = art.TrainableModel(
        name="agent",
        run_name="agent-001",
        project="art",
        entity="local",
        base_model="hone-tiny",
        base_path=str(tmp_path),
    )
    await model.register(backend)
    yield model
    await backend.delete(model)
    await backend.close()


async def rollout(model: art.TrainableModel, seed: int) -> art.Trajectory:
    completion = await model.openai_client().chat.completions.create(
        model=model.get_inference_name(),
        messages=[QUESTION],
        max_tokens=8,
        temperature=1.0,
        logprobs=True,
        seed=seed,
    )
    choice = completion.choices[0]
    # Any two answers differ in their reward.
    return art.Trajectory(messages_and_choices=[QUESTION, choice], reward=1.0 / (1 + seed))


async def gather(model: art.TrainableModel) -> list[art.TrajectoryGroup]:
    return await art.gather_trajectory_groups(
        art.TrajectoryGroup(rollout(model, group * 4 + at) for at in range(4)) for group in range(2)
    )


async def test_registers_the_same_model_again(model):
    again = art.TrainableModel(
        name="agent", run_name="agent-001", project="art", entity="local", base_model="hone-tiny"
    )
    await again.register(model.backend())
    assert (again.id, again.entity, again.run_id) == (model.id, "local", model.run_id)


async def test_trains_two_steps_and_deletes_all_but_the_last_checkpoint(model):
    backend = model.backend()
    assert await model.get_step() == 0
    for step in (1, 2):
        groups = await gather(model)
        assert [len(group.trajectories) for group in groups] == [4, 4]
        await model.log(groups, split="train")
        result = await backend.train(model, groups, learning_rate=1e-4)
        assert result.step == step
        assert result.artifact_name == f"local/art/agent-001:step{step}"
        assert result.metrics["loss/train"] == pytest.approx(result.metrics["loss/train"])
    assert await model.get_step() == 2

    await model.delete_checkpoints()
    left = [checkpoint.step async for checkpoint in backend._client.models.checkpoints.list(model_id=model.id)]
    assert left == [2]


async def test_asks_a_single_checkpoint_while_it_is_pinned(model):
    backend = model.backend()
    await backend.train(model, await gather(model), learning_rate=1e-4)
    async with backend.adapter_lease(model, 1):
        assert model.get_inference_name().endswith("agent-001:step1")
        assert (await rollout(model, 1)).messages()[-1]["role"] == "assistant"


async def test_reports_a_missing_checkpoint_as_not_found(model):
    client = model.openai_client()
    with pytest.raises(NotFoundError):
        await client.chat.completions.create(model=model.get_inference_name(7), messages=[QUESTION])
