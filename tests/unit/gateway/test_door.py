"""The door, before a machine in virtual time: flows share its pace, as coroutines share a core."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from gateway.door import (
    CROWD_UNKNOWN,
    ROOM_MIN,
    RUNNING_MOST,
    RUSH,
    TOGETHER_MIN,
    Door,
    Inside,
)
from gateway.pace import MOMENT_SECONDS
from hapju.flow.v1 import flow_event_pb2
from services.runtime.errors import Overloaded

FINISHED = flow_event_pb2.FlowEvent(finished=flow_event_pb2.Finished())
STEP = 0.002


@dataclass
class Flow:
    """One flow that is being worked on."""

    tenant: str
    """Who asked."""
    inside: Inside
    """Its room."""
    began: float
    """When it was taken."""
    left: float
    """Seconds of work that are left to do."""


@dataclass
class Machine:
    """Works on all its flows at once, each at its share of the pace; none while it stands still."""

    cores: float = 2.0
    """Seconds of work that it does in a second, where so many flows run."""
    work: Callable[[], float] = lambda: 0.05
    """Seconds of work of a flow."""
    now: float = 100.0
    """The present moment."""
    stands: bool = False
    """True while a part that every flow needs is away."""
    flows: list[Flow] = field(default_factory=list)
    """Those that run."""
    answered: list[tuple[str, float, float]] = field(default_factory=list)
    """Tenant, beginning and seconds of those that have been answered."""
    refused: list[tuple[str, Overloaded]] = field(default_factory=list)
    """Tenant and refusal of the others."""

    def __post_init__(self) -> None:
        self.door = Door(lambda: self.now)

    def ask(self, tenant: str = "default") -> None:
        """Asks one question."""
        refusal = self.door.refusal(tenant)
        if refusal is not None:
            self.refused.append((tenant, refusal))
        else:
            self.flows.append(Flow(tenant, self.door.enter(tenant), self.now, self.work()))

    def run(self, seconds: float, *askers: tuple[str, float]) -> None:
        """Lets tenants ask at a rate each, evenly, and works meanwhile."""
        due = {tenant: 0.0 for tenant, _ in askers}
        until = self.now + seconds
        while self.now < until:
            for tenant, rate in askers:
                due[tenant] += rate * STEP
                while due[tenant] >= 1.0:
                    due[tenant] -= 1.0
                    self.ask(tenant)
            self._work()

    def alone(self, count: int) -> None:
        """Asks one question after another."""
        for _ in range(count):
            self.ask()
            while self.flows:
                self._work()

    def at_once(self, count: int, seconds: float) -> None:
        """Keeps so many questions running, which pushes it where that is more than it does at once."""
        until, due = self.now + seconds, self.now
        while self.now < until:
            if self.now >= due:
                due = self.now + 0.02
                for _ in range(count - len(self.flows)):
                    self.ask()
            self._work()
        self.refused.clear()

    def _work(self) -> None:
        self.now += STEP
        if self.stands or not self.flows:
            return
        share = STEP * min(1.0, self.cores / len(self.flows))
        for flow in self.flows:
            flow.left -= share
        for flow in [one for one in self.flows if one.left <= 0]:
            self.flows.remove(flow)
            self.answered.append((flow.tenant, flow.began, self.now - flow.began))
            flow.inside.heard((FINISHED,))

    def seconds(self, since: float = 0.0, share: float = 0.99) -> float:
        """Returns how long answers take to flows that began since a moment."""
        taken = sorted(seconds for _, began, seconds in self.answered if began >= since)
        return taken[int(len(taken) * share)]


def varied(seed: int = 7) -> Callable[[], float]:
    """Returns how much work flows are: most little, some three times as much."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    return lambda: chance.choice((0.04, 0.05, 0.06, 0.15))


@pytest.fixture
def machine() -> Iterator[Machine]:
    """A machine that has answered some, one after another."""
    one = Machine(work=varied())
    one.alone(40)
    yield one
    for flow in one.flows:
        flow.inside.leave()
    assert one.door.running == 0, "room that is not given back"


def test_at_ten_times_the_pace_answers_keep_theirs(machine: Machine) -> None:
    """A minute at ten times what it can: nine tenths of its pace is kept, in twice the time of an unhurried one."""
    unhurried, pace = machine.seconds(), 2 / 0.075
    begin = machine.now
    machine.run(60, ("default", 10 * pace))
    answered = [one for one in machine.answered if one[1] >= begin]
    assert len(answered) >= 0.9 * 60 * pace
    assert machine.seconds(begin + 2) <= 2 * unhurried
    # The first few of a crowd look like any few that come at once: they are taken, and take longer.
    late = [one for one in answered if one[2] > 2 * unhurried]
    assert len(late) <= CROWD_UNKNOWN


@pytest.mark.parametrize(("cores", "seconds"), [(2, 1.0), (2, 0.37), (1, 0.2), (6, 0.1)])
def test_a_machine_that_was_pushed_once_keeps_its_pace_whatever_it_is(cores: float, seconds: float) -> None:
    """Two to sixty answers a second: nine tenths are kept, in twice the time but for the first that come together."""
    kinds = varied()
    machine = Machine(cores=cores, work=lambda: kinds() * seconds / 0.075)
    machine.alone(40)
    unhurried, pace = machine.seconds(), cores / seconds
    machine.at_once(4 * int(cores), 15)
    begin = machine.now
    machine.run(30, ("default", 10 * pace))
    answered = [one for one in machine.answered if one[1] >= begin]
    late = [one for one in answered if one[2] > 2 * unhurried]
    assert len(answered) >= 0.9 * (30 - 2 * unhurried) * pace
    # The first that came together, and as many who were taken before that could be seen.
    assert len(late) <= 2 * TOGETHER_MIN
    assert len([one for one in late if one[1] <= begin + 1]) <= TOGETHER_MIN + RUSH * MOMENT_SECONDS * pace
    assert not [one for one in late if one[1] > begin + 2 and one[2] > 2.1 * unhurried]


@pytest.mark.parametrize("clients", [3, 8])
@pytest.mark.parametrize("share", [0.1, 0.5])
@pytest.mark.parametrize("seed", range(4))
def test_a_few_people_are_never_refused_where_some_answers_wait(clients: int, share: float, seed: int) -> None:
    """Each asks one question after another on an idle machine; some answers wait for a slow model for three seconds."""
    now, chance = [0.0], random.Random(seed)  # noqa: S311 - no secret
    door, ended = Door(lambda: now[0]), flow_event_pb2.FlowEvent()
    ended.finished.SetInParent()
    todo: list[tuple[float, int, Inside | None]] = [(number / 100, number, None) for number in range(clients)]
    for _ in range(400):
        todo.sort(key=lambda one: one[:2])
        now[0], client, inside = todo.pop(0)
        if inside is not None:
            inside.heard([ended])
            todo.append((now[0] + 0.02, client, None))
            continue
        seconds = 3.0 if chance.random() < share else chance.uniform(0.2, 0.5)
        assert door.refusal("default") is None
        todo.append((now[0] + seconds, client, door.enter("default")))


@pytest.mark.parametrize("cores", [1, 4])
def test_four_fifths_of_the_pace_is_no_crowd(cores: float) -> None:
    """Questions that come as they do, by chance, are answered as long as the machine can."""
    machine, chance = Machine(cores=cores, work=varied()), random.Random(3)  # noqa: S311 - no secret
    machine.alone(40)
    machine.at_once(4 * int(cores), 15)
    due, until = machine.now, machine.now + 30
    while machine.now < until:
        while due <= machine.now:
            machine.ask()
            due += chance.expovariate(0.8 * cores / 0.075)
        machine._work()
    assert len(machine.refused) <= 0.02 * len(machine.answered)


def test_a_slow_machine_of_which_nothing_is_known_yet_has_an_end() -> None:
    """Twenty a second to one that answers two: what it takes in before it has answered any is bounded."""
    machine = Machine(cores=2, work=lambda: 1.0)
    machine.alone(5)
    machine.run(20, ("default", 20))
    assert len(machine.flows) <= RUNNING_MOST + 2 * CROWD_UNKNOWN
    machine.run(130, ("default", 20))
    assert machine.seconds(machine.now - 30) <= 6.0


def test_who_is_refused_is_told_when_to_come_again(machine: Machine) -> None:
    """Each refusal bears a time, and not all of them the same."""
    machine.run(5, ("default", 300))
    times = [refusal.retry_seconds for _, refusal in machine.refused]
    assert (len(times) > 1_000, min(times) >= 1.0, max(times) <= 15.0) == (True, True, True)
    assert len(set(times)) > len(times) / 4


def test_after_a_crowd_everybody_is_taken_within_seconds(machine: Machine) -> None:
    """Ten seconds behind a crowd nobody is refused any more."""
    machine.run(20, ("default", 300))
    machine.run(5, ("default", 5))
    before = len(machine.refused)
    machine.run(10, ("default", 15))
    assert len(machine.refused) == before


def test_a_few_at_once_are_no_crowd() -> None:
    """So many at once that any machine takes them: also as its first questions, and in waves."""
    machine = Machine(cores=1)
    for _ in range(4):
        for _ in range(CROWD_UNKNOWN):
            machine.ask()
        while machine.flows:
            machine.run(0.1)
    assert (len(machine.refused), len(machine.answered)) == (0, 4 * CROWD_UNKNOWN)


@pytest.mark.parametrize("seconds", [0.2, 0.1, 0.07])
@pytest.mark.parametrize("clients", [2, 4, 7])
def test_a_few_who_ask_again_at_once_are_no_crowd(clients: int, seconds: float) -> None:
    """Each asks as soon as it is answered: the machine is pushed, they come together now and then, none is refused."""
    kinds = varied()
    machine = Machine(cores=1, work=lambda: kinds() * seconds / 0.075)
    machine.alone(40)
    while len(machine.answered) < 1_500:
        for _ in range(clients - len(machine.flows)):
            machine.ask()
        machine._work()
    assert machine.refused == []


def test_a_restart_refuses_nobody(machine: Machine) -> None:
    """Three seconds in which nothing is answered leave a backlog that is worked off: it is no crowd."""
    machine.run(20, ("default", 15))
    for _ in range(5):
        machine.stands = True
        machine.run(3, ("default", 15))
        machine.stands = False
        machine.run(8, ("default", 15))
    assert machine.refused == []


def test_one_tenant_in_a_hurry_is_no_other_tenants_matter(machine: Machine) -> None:
    """At twenty times the pace of one tenant the others are taken, those that ask within their share."""
    pace, others = 2 / 0.075, [f"t-{number}" for number in range(4)]
    machine.run(5, *((tenant, 0.1 * pace) for tenant in others))
    machine.run(30, ("greedy", 20 * pace), *((tenant, 0.1 * pace) for tenant in others))
    refused = [tenant for tenant, _ in machine.refused]
    theirs = [one for one in machine.answered if one[0] in others]
    assert len(theirs) >= 0.99 * (len(theirs) + sum(tenant in others for tenant in refused))
    assert refused.count("greedy") > 10_000


def test_slow_models_make_no_crowd() -> None:
    """Flows that wait for their models leave the machine free: hundreds run at once."""
    machine = Machine(cores=10_000, work=lambda: 8.0)
    machine.run(60, ("default", 25))
    assert (len(machine.refused), machine.door.running >= 150) == (0, True)


def test_quick_questions_before_slow_ones_are_no_measure_for_long() -> None:
    """Greetings take a moment, then every question waits for its model: after a while all of them are taken again."""
    machine = Machine(cores=10_000, work=lambda: 0.05)
    machine.alone(40)
    machine.work = lambda: 4.0
    machine.run(40, ("default", 20))
    machine.refused.clear()
    machine.run(30, ("default", 20))
    assert len(machine.refused) <= 0.05 * 30 * 20


def test_questions_that_cost_nothing_leave_no_false_pace(machine: Machine) -> None:
    """A flood of trifles makes the machine look fast: once real questions slow down it is looked at again."""
    machine.work = lambda: 0.002
    machine.run(5, ("default", 400))
    machine.work = varied()
    begin = machine.now
    machine.run(30, ("default", 250))
    assert machine.seconds(begin + 12) <= 1.5


def test_more_than_it_can_for_long_is_a_crowd_however_few() -> None:
    """A slow machine that is asked at twice its pace: after some seconds no backlog grows any more."""
    machine = Machine(cores=1, work=lambda: 0.2)
    machine.alone(20)
    machine.run(90, ("default", 10))
    assert machine.refused
    assert machine.seconds(machine.now - 30) <= 2.0


def test_a_flow_that_waits_for_a_person_takes_no_room(machine: Machine) -> None:
    """It may wait for minutes; what it took says nothing of the pace."""
    asked = flow_event_pb2.FlowEvent(question_asked=flow_event_pb2.QuestionAsked())
    inside = machine.door.enter("default")
    unhurried = machine.door.pace.unhurried_seconds(machine.now)
    inside.heard((asked,))
    assert machine.door.running == 0
    machine.now += 300
    inside.heard((FINISHED,))
    inside.leave()
    assert (machine.door.running, machine.door.pace.unhurried_seconds(machine.now)) == (0, unhurried)


def test_tenants_of_long_ago_are_forgotten(machine: Machine) -> None:
    """Names cost no memory for ever."""
    for number in range(5_000):
        machine.now += 0.2
        machine.door.refusal(f"t-{number}")
        machine.door.enter(f"t-{number}").leave()
    assert len(machine.door._tenants) <= 1_024


def test_some_always_run() -> None:
    """However slow answers have become, there is room for as many as there are cores."""
    machine = Machine(cores=0.01)
    machine.alone(3)
    assert machine.door.room(machine.now) >= ROOM_MIN
