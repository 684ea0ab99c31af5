import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "go-gin-path",
    language: "go",
    kind: "request input in a file path",
    path: "server/handlers/attachments.go",
    before: null,
    after: `package handlers

import (
	"net/http"
	"os"
	"path/filepath"

	"github.com/gin-gonic/gin"
)

type Attachments struct{ Dir string }

func (a Attachments) Register(r *gin.RouterGroup) {
	r.GET("/attachments", a.show)
}

func (a Attachments) show(c *gin.Context) {
	name := c.Query("name")
	data, err := os.ReadFile(filepath.Join(a.Dir, name))
	if err != nil {
		c.AbortWithStatus(http.StatusNotFound)
		return
	}
	c.Data(http.StatusOK, "application/octet-stream", data)
}
`,
    line: 19,
    severity: "must-fix",
  },
  {
    id: "go-ssrf",
    language: "go",
    kind: "request input in outgoing request",
    path: "cmd/webhookd/relay.go",
    before: `package main

import (
	"io"
	"net/http"
	"time"
)

var outbound = &http.Client{Timeout: 5 * time.Second}

var targets = map[string]string{
	"billing": "http://billing.internal/hook",
	"search":  "http://search.internal/hook",
}

func relay(w http.ResponseWriter, req *http.Request) {
	target, ok := targets[req.URL.Query().Get("target")]
	if !ok {
		http.NotFound(w, req)
		return
	}
	res, err := outbound.Post(target, "application/json", req.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer res.Body.Close()
	w.WriteHeader(res.StatusCode)
	_, _ = io.Copy(w, res.Body)
}
`,
    after: `package main

import (
	"io"
	"net/http"
	"time"
)

var outbound = &http.Client{Timeout: 5 * time.Second}

func relay(w http.ResponseWriter, req *http.Request) {
	target := req.URL.Query().Get("target")
	res, err := outbound.Post(target, "application/json", req.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer res.Body.Close()
	w.WriteHeader(res.StatusCode)
	_, _ = io.Copy(w, res.Body)
}
`,
    line: 13,
    severity: "must-fix",
  },
  {
    id: "go-inverted-check",
    language: "go",
    kind: "error check with the wrong sense",
    path: "storage/tx.go",
    before: `package storage

import (
	"context"
	"database/sql"
)

type Mover struct{ DB *sql.DB }

// Move transfers an amount between two accounts.
func (m *Mover) Move(ctx context.Context, from, to int64, cents int64) error {
	tx, err := m.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()

	_, err = tx.ExecContext(ctx, \`UPDATE accounts SET cents = cents - $1 WHERE id = $2\`, cents, from)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, \`UPDATE accounts SET cents = cents + $1 WHERE id = $2\`, cents, to)
	if err != nil {
		return err
	}
	return tx.Commit()
}
`,
    after: `package storage

import (
	"context"
	"database/sql"
)

type Mover struct{ DB *sql.DB }

// Move transfers an amount between two accounts.
func (m *Mover) Move(ctx context.Context, from, to int64, cents int64) error {
	tx, err := m.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()

	_, err = tx.ExecContext(ctx, \`UPDATE accounts SET cents = cents - $1 WHERE id = $2\`, cents, from)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, \`UPDATE accounts SET cents = cents + $1 WHERE id = $2\`, cents, to)
	if err == nil {
		return err
	}
	return tx.Commit()
}
`,
    line: 24,
    severity: "must-fix",
  },
  {
    id: "go-defer-in-loop",
    language: "go",
    kind: "defer in a loop",
    path: "batch/concat.go",
    before: null,
    after: `package batch

import (
	"io"
	"os"
)

// Concat writes all parts, one after the other, to the target.
func Concat(target string, parts []string) error {
	out, err := os.Create(target)
	if err != nil {
		return err
	}
	defer out.Close()

	for _, part := range parts {
		in, err := os.Open(part)
		if err != nil {
			return err
		}
		defer in.Close()
		if _, err := io.Copy(out, in); err != nil {
			return err
		}
	}
	return out.Sync()
}
`,
    line: 21,
    severity: "major",
  },
  {
    id: "go-same-branches",
    language: "go",
    kind: "condition that is always true",
    path: "auth/roles.go",
    before: `package auth

type Role string

const (
	RoleOwner  Role = "owner"
	RoleEditor Role = "editor"
	RoleViewer Role = "viewer"
)

type Member struct {
	Name string
	Role Role
}

func (m Member) CanEdit() bool {
	return m.Role == RoleOwner || m.Role == RoleEditor
}

func (m Member) IsReadOnly() bool {
	return m.Role != RoleOwner && m.Role != RoleEditor
}
`,
    after: `package auth

type Role string

const (
	RoleOwner  Role = "owner"
	RoleEditor Role = "editor"
	RoleViewer Role = "viewer"
)

type Member struct {
	Name string
	Role Role
}

func (m Member) CanEdit() bool {
	return m.Role == RoleOwner || m.Role == RoleEditor
}

func (m Member) IsReadOnly() bool {
	return m.Role != RoleOwner || m.Role != RoleEditor
}
`,
    line: 21,
    severity: "must-fix",
  },
  {
    id: "go-unmarshal-value",
    language: "go",
    kind: "decode target is not a pointer",
    path: "config/load.go",
    before: null,
    after: `package config

import (
	"encoding/json"
	"fmt"
	"os"
)

type Config struct {
	Listen  string   \`json:"listen"\`
	Origins []string \`json:"origins"\`
}

func Load(path string) (Config, error) {
	cfg := Config{Listen: ":8080"}
	raw, err := os.ReadFile(path)
	if err != nil {
		return cfg, fmt.Errorf("read config: %w", err)
	}
	if err := json.Unmarshal(raw, cfg); err != nil {
		return cfg, fmt.Errorf("parse config: %w", err)
	}
	return cfg, nil
}
`,
    line: 20,
    severity: "must-fix",
  },
  {
    id: "go-body-leak",
    language: "go",
    kind: "response body never closed",
    path: "pkg/weather/weather.go",
    before: `package weather

import (
	"encoding/json"
	"net/http"
	"net/url"
)

type Forecast struct {
	City    string  \`json:"city"\`
	Celsius float64 \`json:"celsius"\`
}

func Today(city string) (f Forecast, err error) {
	resp, err := http.Get("https://api.weather.example/v1/today?city=" + url.QueryEscape(city))
	if err != nil {
		return f, err
	}
	defer resp.Body.Close()
	err = json.NewDecoder(resp.Body).Decode(&f)
	return f, err
}
`,
    after: `package weather

import (
	"encoding/json"
	"net/http"
	"net/url"
)

type Forecast struct {
	City    string  \`json:"city"\`
	Celsius float64 \`json:"celsius"\`
}

func Today(city string) (f Forecast, err error) {
	resp, err := http.Get("https://api.weather.example/v1/today?city=" + url.QueryEscape(city))
	if err != nil {
		return f, err
	}
	err = json.NewDecoder(resp.Body).Decode(&f)
	return f, err
}
`,
    line: 15,
    severity: "major",
  },
  {
    id: "go-math-rand-token",
    language: "go",
    kind: "token from a weak random source",
    path: "account/reset.go",
    before: null,
    after: `package account

import (
	"fmt"
	"math/rand"
	"time"
)

type Reset struct {
	Token   string
	Email   string
	Expires time.Time
}

const alphabet = "abcdefghijkmnpqrstuvwxyz23456789"

func NewReset(email string, now time.Time) Reset {
	token := make([]byte, 32)
	for i := range token {
		token[i] = alphabet[rand.Intn(len(alphabet))]
	}
	return Reset{Token: fmt.Sprintf("%s", token), Email: email, Expires: now.Add(time.Hour)}
}
`,
    line: 20,
    severity: "must-fix",
  },
  {
    id: "go-self-assign",
    language: "go",
    kind: "field assigned to itself",
    path: "model/profile.go",
    before: `package model

type Profile struct {
	Name    string
	Bio     string
	Website string
}

type ProfilePatch struct {
	Name    *string
	Bio     *string
	Website *string
}

// Apply copies the fields that the patch sets.
func (p *Profile) Apply(patch ProfilePatch) {
	if patch.Name != nil {
		p.Name = *patch.Name
	}
	if patch.Bio != nil {
		p.Bio = *patch.Bio
	}
	if patch.Website != nil {
		p.Website = *patch.Website
	}
}
`,
    after: `package model

type Profile struct {
	Name    string
	Bio     string
	Website string
}

type ProfilePatch struct {
	Name    *string
	Bio     *string
	Website *string
}

// Apply copies the fields that the patch sets.
func (p *Profile) Apply(patch ProfilePatch) {
	if patch.Name != nil {
		p.Name = *patch.Name
	}
	if patch.Bio != nil {
		p.Bio = *patch.Bio
	}
	if patch.Website != nil {
		p.Website = p.Website
	}
}
`,
    line: 24,
    severity: "must-fix",
  },
];
