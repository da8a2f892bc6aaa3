package deployer

// Each bug of the client is found by one tool of the test kit, in this process: no server, no wait.

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.test/deployer/stuntdouble"
)

var beginning *stuntdouble.World

func TestMain(tests *testing.M) {
	var err error
	if beginning, err = stuntdouble.New(nil); err != nil {
		panic(err)
	}
	os.Exit(tests.Run())
}

// world is a fork of the beginning. A test that fails shows its seed and its calls.
func world(t *testing.T) *stuntdouble.World {
	fork := forked(t, beginning)
	t.Cleanup(func() {
		if !t.Failed() {
			return
		}
		var calls []struct {
			Call                       int
			At, Method, Target, Reason string
			Status                     int
		}
		must(t, fork.Control("GET", "/_sim/journal", nil, &calls))
		t.Logf("seed %d, %d calls", fork.Seed, len(calls))
		for _, call := range calls {
			t.Logf("%4d %s %s %s -> %d %s", call.Call, call.At, call.Method, call.Target, call.Status, call.Reason)
		}
	})
	return fork
}

func forked(t *testing.T, world *stuntdouble.World) *stuntdouble.World {
	fork, err := world.Fork()
	must(t, err)
	t.Cleanup(fork.Close)
	return fork
}

func deployer(world *stuntdouble.World, bug Bug) Deployer {
	return Deployer{HTTP: world.Client(), URL: "https://api.example.test", Sleep: world.Advance, Bug: bug}
}

func TestAReleaseSucceeds(t *testing.T) {
	world := world(t)
	must(t, deployer(world, "").Release())
	answer, err := world.Client().Get("https://api.example.test/v1/projects")
	must(t, err)
	equal(t, answer.StatusCode, 200)
}

// Sweep: a fault in every call, one at a time. Without a list of effects it would be all usual ones.

// swept returns the defects of the runs, as "CALL EFFECT: defect".
func swept(t *testing.T, bug Bug, effects ...string) []string {
	world := world(t)
	good := forked(t, world)
	must(t, deployer(good, bug).Release())
	var plan struct {
		Points []struct {
			Method, Target string
			Fault          Fields
		}
	}
	must(t, good.Control("POST", "/_sim/sweep/points", Fields{"beginning": world.Name, "effects": effects}, &plan))
	var found []string
	for _, point := range plan.Points {
		run := forked(t, world)
		must(t, run.Control("POST", "/_sim/faults", point.Fault, nil))
		ending := Fields{"exit": exit(t, deployer(run, bug).Release())}
		var verdict struct{ Troubles []struct{ Kind string } }
		asked := Fields{"beginning": world.Name, "good": good.Name, "ending": ending}
		must(t, run.Control("POST", "/_sim/sweep/verdict", asked, &verdict))
		for _, trouble := range verdict.Troubles {
			effect := point.Fault["effect"].(map[string]any)["kind"]
			found = append(found, fmt.Sprintf("%s %s %s: %s", point.Method, point.Target, effect, trouble.Kind))
		}
	}
	return found
}

func exit(t *testing.T, err error) int {
	if err == nil {
		return 0
	}
	if !errors.As(err, &Refused{}) {
		t.Fatal(err)
	}
	return 1
}

func TestAReleaseSurvivesEveryFault(t *testing.T) {
	equal(t, len(swept(t, "", "503", "lost_answer", "torn")), 0)
}

func TestASweepFindsTheBlindRetry(t *testing.T) {
	found := strings.Join(swept(t, BlindRetry, "lost_answer"), "\n")
	contains(t, found, "POST /v1/organizations lost_answer: double")
}

// Lens: what the client does when it is told to wait.

func reaction(t *testing.T, bug Bug) any {
	world := world(t)
	effect := Fields{"kind": "rate_limit", "seconds": 30}
	on := Fields{"operation": "v1-list-all-projects"}
	must(t, world.Control("POST", "/_sim/faults", Fields{"on": on, "effect": effect}, nil))
	exit(t, deployer(world, bug).Release())
	var lens struct{ Reaction any }
	must(t, world.Control("GET", "/_sim/lens", nil, &lens))
	return lens.Reaction
}

func TestAReleaseWaitsWhenItIsToldTo(t *testing.T) {
	equal(t, fmt.Sprint(reaction(t, "")), "waits")
}

func TestTheLensFindsImpatience(t *testing.T) {
	contains(t, fmt.Sprint(reaction(t, Impatient)), "calls:")
}

// Forks: the same step at every moment of a project's start.

// atEachMoment returns what becomes of a statement right after the wait, in forks of a start that takes a minute.
func atEachMoment(t *testing.T, bug Bug) string {
	world := world(t)
	project, err := deployer(world, "").CreateProject(wanted(t, world))
	must(t, err)
	ref := project["id"].(string)
	var results []string
	for at := 0 * time.Second; at < 70*time.Second; at += 10 * time.Second {
		moment := forked(t, world)
		must(t, moment.Advance(at))
		client := deployer(moment, bug)
		must(t, client.WaitUntilUp(ref))
		results = append(results, []string{"done", "refused"}[exit(t, client.Query(ref, "select 1"))])
	}
	return strings.Join(results, " ")
}

// wanted is the shop, in the organization of the world's first user.
func wanted(t *testing.T, world *stuntdouble.World) Fields {
	var all []Fields
	must(t, deployer(world, "").call("GET", "/v1/organizations", nil, &all))
	return Shop(all[0]["id"])
}

func TestAProjectIsUsedWhenItIsUp(t *testing.T) {
	equal(t, atEachMoment(t, ""), "done done done done done done done")
}

func TestForksFindTheEagerClient(t *testing.T) {
	equal(t, atEachMoment(t, Eager), "refused refused refused refused refused refused done")
}

// Trial: random histories, with the answer that each call must have.

type step struct {
	Until, Operation, Method, Path, Token string
	Setup                                 bool
	Body                                  any
	Expect                                struct {
		Status int
		Body   any
	}
}

// tried returns where the client differs from what must come of its calls.
func tried(t *testing.T, bug Bug) []string {
	asked := "/_sim/plans?seed=1&count=4&operations=v1-create-a-project&good=true"
	var plans []struct {
		World map[string]any
		Steps []step
	}
	must(t, beginning.Control("GET", asked, nil, &plans))
	var found []string
	for _, plan := range plans {
		run, err := stuntdouble.New(plan.World)
		must(t, err)
		t.Cleanup(run.Close)
		for _, step := range plan.Steps {
			found = append(found, follow(t, run, step, bug)...)
		}
	}
	return found
}

// follow makes a step, and returns the fields of a created project that are not as they must be.
func follow(t *testing.T, run *stuntdouble.World, step step, bug Bug) (found []string) {
	if step.Until != "" {
		must(t, run.Control("POST", "/_sim/clock/advance", Fields{"until": step.Until}, nil))
		return nil
	}
	client := deployer(run, bug)
	client.HTTP = run.ClientOf(step.Token)
	if step.Operation != "v1-create-a-project" || step.Setup {
		err := client.call(step.Method, step.Path, step.Body, nil)
		equal(t, err == nil, step.Expect.Status < 400)
		return nil
	}
	created, err := client.CreateProject(Fields(step.Body.(map[string]any)))
	must(t, err)
	for name, value := range step.Expect.Body.(map[string]any) {
		if !reflect.DeepEqual(created[name], value) {
			found = append(found, name)
		}
	}
	return found
}

func TestAProjectIsAsItWasOrdered(t *testing.T) {
	equal(t, len(tried(t, "")), 0)
}

func TestATrialFindsTheWrongRegion(t *testing.T) {
	contains(t, strings.Join(tried(t, AtHome), " "), "region")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal[T comparable](t *testing.T, found, wanted T) {
	t.Helper()
	if found != wanted {
		t.Errorf("found %v, not %v", found, wanted)
	}
}

func contains(t *testing.T, found, part string) {
	t.Helper()
	if !strings.Contains(found, part) {
		t.Errorf("found %q, without %q", found, part)
	}
}

var _ http.RoundTripper = (*stuntdouble.World)(nil)
