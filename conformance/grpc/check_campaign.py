"""The campaign's gRPC, seen by a client of another language.

    python check_campaign.py --server HOST:PORT --protos FOLDER

Makes stubs of our `.proto` files as anybody would who has only those, and plays with them: campaigns, sessions, dice,
streams, health and reflection. Ends with `N passed, N failed`; the exit code is 0 only if nothing failed.
"""

import argparse
import concurrent.futures
import pathlib
import sys
import tempfile
import traceback

import grpc
import grpc_tools
from google.protobuf import descriptor_pool
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)
from grpc_tools import protoc

LONGEST_SECONDS = 20
SERVICES = ["campaign.v1.CampaignService", "session.v1.SessionService", "duality.v1.DualityService"]


def generate(protos, folder):
    """Makes stubs of every `.proto` file in `folder`, from where they can then be imported."""
    files = [str(file) for file in sorted(pathlib.Path(protos).rglob("*.proto"))]
    google = str(pathlib.Path(grpc_tools.__file__).parent / "_proto")
    options = [f"-I{protos}", f"-I{google}", f"--python_out={folder}", f"--grpc_python_out={folder}"]
    code = protoc.main(["protoc", *options, *files])
    assert code == 0 and files, f"no stubs of {files}"
    sys.path.insert(0, folder)


class Checks:
    """What a client must be able to do. Each method that has a docstring is a check, and the docstring its name."""

    def __init__(self, channel):
        from campaign.v1 import campaign_pb2, campaign_pb2_grpc
        from duality.v1 import duality_pb2, duality_pb2_grpc
        from session.v1 import session_pb2, session_pb2_grpc

        self.channel = channel
        self.campaign, self.session, self.duality = campaign_pb2, session_pb2, duality_pb2
        self.campaigns = campaign_pb2_grpc.CampaignServiceStub(channel)
        self.sessions = session_pb2_grpc.SessionServiceStub(channel)
        self.dice = duality_pb2_grpc.DualityServiceStub(channel)

    def create(self, name="Ruinen von Gräfenstein"):
        request = self.campaign.CreateCampaignRequest(name=name, gm_mode=self.campaign.HYBRID)
        return self.campaigns.CreateCampaign(request, timeout=LONGEST_SECONDS).campaign

    def campaigns_are_made_and_read_back(self):
        """campaigns are made and read back"""
        made = self.create()
        read = self.campaigns.GetCampaign(self.campaign.GetCampaignRequest(campaign_id=made.id)).campaign
        assert read == made, read
        assert made.name == "Ruinen von Gräfenstein" and made.id.startswith("camp_"), made
        assert made.created_at == made.updated_at and made.created_at.seconds > 0, made

    def lists_come_in_pages(self):
        """25 participants come in pages of 10, 10 and 5"""
        camp = self.create().id
        for number in range(25):
            self.campaigns.CreateParticipant(
                self.campaign.CreateParticipantRequest(
                    campaign_id=camp, display_name=f"player {number}", role=self.campaign.PLAYER
                )
            )
        sizes, names, token = [], [], ""
        while True:
            request = self.campaign.ListParticipantsRequest(campaign_id=camp, page_token=token)
            page = self.campaigns.ListParticipants(request)
            sizes.append(len(page.participants))
            names.extend(participant.display_name for participant in page.participants)
            token = page.next_page_token
            if not token:
                break
        assert sizes == [10, 10, 5], sizes
        assert names == [f"player {number}" for number in range(25)], names

    def refusals_are_statuses(self):
        """a refusal is a status with its message and its field"""
        bad = self.campaign.CreateCampaignRequest(name="x", gm_mode=99)
        error = refused(self.campaigns.CreateCampaign, bad, grpc.StatusCode.INVALID_ARGUMENT)
        assert error.details() == "`gm_mode` must be one of HUMAN, AI, HYBRID, not `99`", error.details()
        assert metadata(error)["x-duality-error-field"] == "gm_mode", metadata(error)
        unknown = self.campaign.ListActorsRequest(campaign_id="camp_nobody")
        error = refused(self.campaigns.ListActors, unknown, grpc.StatusCode.NOT_FOUND)
        assert error.details() == "campaign not found", error.details()
        large = self.campaign.CreateCampaignRequest(name="x", theme_prompt="x" * (5 << 20))
        refused(self.campaigns.CreateCampaign, large, grpc.StatusCode.RESOURCE_EXHAUSTED)

    def calls_keep_their_names(self):
        """the names of a call come back, also with a refusal"""
        names = (("x-duality-request-id", "req-py"), ("x-duality-invocation-id", "inv-py"))
        request = self.campaign.GetCampaignRequest(campaign_id=self.create().id)
        _, call = self.campaigns.GetCampaign.with_call(request, metadata=names)
        sent = dict(call.initial_metadata())
        assert sent["x-duality-request-id"] == "req-py", sent
        assert sent["x-duality-invocation-id"] == "inv-py", sent
        request = self.campaign.GetCampaignRequest(campaign_id="camp_nobody")
        error = refused(self.campaigns.GetCampaign, request, grpc.StatusCode.NOT_FOUND, metadata=names)
        assert metadata(error)["x-duality-request-id"] == "req-py", metadata(error)

    def actors_are_controlled(self):
        """an actor is made and given to a participant"""
        camp = self.create().id
        actor = self.campaigns.CreateActor(
            self.campaign.CreateActorRequest(campaign_id=camp, name="Thorin", kind=self.campaign.PC)
        ).actor
        assert not actor.HasField("controller") and actor.sheet.hp_max == 6, actor
        player = self.campaigns.CreateParticipant(
            self.campaign.CreateParticipantRequest(campaign_id=camp, display_name="Al", role="PLAYER")
        ).participant
        assert player.controller == self.campaign.CONTROLLER_HUMAN, player
        who = self.campaign.ActorController(
            participant=self.campaign.ParticipantController(participant_id=player.id)
        )
        request = self.campaign.SetDefaultControlRequest(
            campaign_id=camp, actor_id=actor.id, controller=who
        )
        assert self.campaigns.SetDefaultControl(request).controller == who
        empty = self.campaign.SetDefaultControlRequest(campaign_id=camp, actor_id=actor.id)
        error = refused(self.campaigns.SetDefaultControl, empty, grpc.StatusCode.INVALID_ARGUMENT)
        assert error.details() == "controller is required", error.details()

    def one_session_starts(self):
        """of 20 sessions that start at once exactly one does; ended, it makes room"""
        camp = self.create().id
        start = self.session.StartSessionRequest(campaign_id=camp, name="One")
        with concurrent.futures.ThreadPoolExecutor(20) as pool:
            codes = list(pool.map(lambda _: code_of(self.sessions.StartSession, start), range(20)))
        assert codes.count(grpc.StatusCode.OK) == 1, codes
        assert codes.count(grpc.StatusCode.FAILED_PRECONDITION) == 19, codes
        ended = self.sessions.EndSession(self.session.EndSessionRequest(campaign_id=camp)).session
        assert ended.status == self.session.ENDED and ended.HasField("ended_at"), ended
        again = self.sessions.StartSession(start).session
        assert again.status == self.session.ACTIVE and not again.HasField("ended_at"), again

    def dice_mean_what_they_mean(self):
        """known dice, odds, explanations and the rules are those of the specification"""
        request = self.duality.DualityOutcomeRequest(hope=8, fear=5, modifier=2, difficulty=15)
        result = self.dice.DualityOutcome(request)
        assert (result.total, result.outcome) == (15, self.duality.SUCCESS_WITH_HOPE), result
        request = self.duality.DualityOutcomeRequest(hope=7, fear=7)
        result = self.dice.DualityOutcome(request)
        assert result.is_crit and not result.meets_difficulty and not result.HasField("difficulty")
        request = self.duality.DualityProbabilityRequest(modifier=2, difficulty=15)
        odds = self.dice.DualityProbability(request)
        assert (odds.crit_count, odds.success_count, odds.failure_count) == (12, 72, 60), odds
        request = self.duality.DualityExplainRequest(hope=8, fear=5, modifier=2, difficulty=15)
        steps = self.dice.DualityExplain(request).steps
        assert [step.code for step in steps][-1] == "SELECT_OUTCOME" and len(steps) == 5, steps
        assert dict(steps[1].data) == {"base_total": 13, "modifier": 2, "total": 15}, steps[1]
        rules = self.dice.RulesVersion(self.duality.RulesVersionRequest())
        assert list(rules.outcomes) == [1, 2, 3, 4, 5, 6, 7], rules

    def dice_roll(self):
        """dice roll, a seed repeats them, and limits hold"""
        spec = self.duality.DiceSpec
        request = self.duality.RollDiceRequest(dice=[spec(sides=20, count=2), spec(sides=6, count=1)])
        request.rng.seed, request.rng.roll_mode = 7, self.duality.REPLAY
        rolled = self.dice.RollDice(request)
        assert [len(roll.results) for roll in rolled.rolls] == [2, 1], rolled
        assert rolled.total == sum(roll.total for roll in rolled.rolls), rolled
        assert self.dice.RollDice(request) == rolled, "the same seed"
        roll = self.dice.ActionRoll(self.duality.ActionRollRequest(modifier=1))
        assert roll.total == roll.hope + roll.fear + 1 and not roll.HasField("rng"), roll
        many = self.duality.RollDiceRequest(dice=[spec(sides=6, count=10_001)])
        refused(self.dice.RollDice, many, grpc.StatusCode.RESOURCE_EXHAUSTED)

    def events_are_watched(self):
        """a watcher gets what there is and then what happens"""
        camp = self.create().id
        request = self.campaign.WatchEventsRequest(campaign_id=camp)
        events = self.campaigns.WatchEvents(request, timeout=LONGEST_SECONDS)
        assert next(events).event.type == "campaign.created"
        self.campaigns.AddNote(self.campaign.AddNoteRequest(campaign_id=camp, text="the bridge is out"))
        event = next(events).event
        assert (event.seq, event.type) == (2, "note.added"), event
        events.cancel()
        verdict = self.campaigns.Verify(self.campaign.VerifyRequest(campaign_id=camp))
        assert verdict.valid and verdict.head_hash == event.event_hash, verdict

    def health_is_told(self):
        """health knows the three services, the whole, and nothing else"""
        health = health_pb2_grpc.HealthStub(self.channel)
        for service in ["", *SERVICES]:
            answer = health.Check(health_pb2.HealthCheckRequest(service=service))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING, service
        unknown = health_pb2.HealthCheckRequest(service="x")
        refused(health.Check, unknown, grpc.StatusCode.NOT_FOUND)

    def reflection_shows_everything(self):
        """reflection lists the services and has their files"""
        database = ProtoReflectionDescriptorDatabase(self.channel)
        listed = set(database.get_services())
        assert {*SERVICES, "grpc.health.v1.Health"} <= listed, listed
        pool = descriptor_pool.DescriptorPool(database)
        for service in SERVICES:
            assert pool.FindServiceByName(service).methods, service
        session = pool.FindMessageTypeByName("session.v1.Session")
        assert session.fields_by_name["version"].number == 8


def refused(method, request, code, **options):
    """The error of a call that must fail with `code`."""
    try:
        answer = method(request, timeout=LONGEST_SECONDS, **options)
    except grpc.RpcError as error:
        assert error.code() == code, f"{error.code()}: {error.details()}"
        return error
    raise AssertionError(f"not refused: {answer}")


def code_of(method, request):
    try:
        method(request, timeout=LONGEST_SECONDS)
        return grpc.StatusCode.OK
    except grpc.RpcError as error:
        return error.code()


def metadata(call):
    """Where an answer is nothing but an error, the library counts its headers as trailers."""
    return dict([*(call.initial_metadata() or ()), *(call.trailing_metadata() or ())])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", required=True)
    parser.add_argument("--protos", required=True)
    arguments = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, grpc.insecure_channel(arguments.server) as channel:
        generate(arguments.protos, folder)
        grpc.channel_ready_future(channel).result(timeout=LONGEST_SECONDS)
        checks = Checks(channel)
        for check in [getattr(checks, name) for name in dir(checks)]:
            if not getattr(check, "__doc__", None) or not hasattr(check, "__func__"):
                continue
            try:
                check()
                passed += 1
            except Exception:
                failed += 1
                print(f"FAILED {check.__doc__}: {traceback.format_exc()}", file=sys.stderr)
    print(f"{passed} passed, {failed} failed", flush=True)
    sys.exit(0 if failed == 0 else 1)


if __name__ == "__main__":
    main()
