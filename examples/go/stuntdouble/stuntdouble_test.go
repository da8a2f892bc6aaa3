package stuntdouble

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

const projects = "https://api.example.test/v1/projects"

// harmed returns a world whose next call gets the effect.
func harmed(t *testing.T, effect map[string]any) *World {
	world, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(world.Close)
	rule := map[string]any{"on": map[string]any{"path": "*"}, "effect": effect}
	if err := world.Control("POST", "/_sim/faults", rule, nil); err != nil {
		t.Fatal(err)
	}
	return world
}

func TestAFaultBreaksAnAnswerAsAConnection(t *testing.T) {
	_, err := harmed(t, map[string]any{"kind": "reset"}).Client().Get(projects)
	if !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("a reset: %v", err)
	}
	answer, err := harmed(t, map[string]any{"kind": "torn"}).Client().Get(projects)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(answer.Body); err != io.ErrUnexpectedEOF {
		t.Errorf("a torn answer: %v", err)
	}
}

func TestALateAnswerMeetsTheDeadlineAtOnce(t *testing.T) {
	client := harmed(t, map[string]any{"kind": "latency", "ms": 60000}).Client()
	client.Timeout = 50 * time.Second
	if _, err := client.Get(projects); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a late answer: %v", err)
	}
	client = harmed(t, map[string]any{"kind": "slow", "ms": 60000}).Client()
	client.Timeout = 50 * time.Second
	answer, err := client.Get(projects)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(answer.Body); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a slow body: %v", err)
	}
	client.Timeout = 0
	if _, err := client.Get(projects); err != nil {
		t.Errorf("without a timeout it arrives: %v", err)
	}
}

func TestAWorldSaysWhyItRefuses(t *testing.T) {
	if _, err := New(map[string]any{"sed": 7}); err == nil || !strings.Contains(err.Error(), "`sed`") {
		t.Errorf("a setting that does not exist: %v", err)
	}
	world, err := New(map[string]any{"seed": 7})
	if err != nil {
		t.Fatal(err)
	}
	defer world.Close()
	if world.Seed != 7 {
		t.Errorf("seed %d", world.Seed)
	}
	request, _ := http.NewRequest("GET", projects, nil)
	request.Header.Set("x-value", "a\x00b")
	if _, err := world.RoundTrip(request); err == nil || !strings.Contains(err.Error(), "zero character") {
		t.Errorf("a header that no connection carries: %v", err)
	}
	request.Header.Del("x-value")
	answer, err := world.RoundTrip(request)
	if err != nil || answer.StatusCode != 401 || answer.Header.Get("X-Sim-Reason") == "" {
		t.Errorf("without a token: %v %v", answer, err)
	}
}
