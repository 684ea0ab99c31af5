import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "third-go-printf-verb",
    language: "go",
    kind: "wrong verb for an argument",
    path: "internal/quota/quota.go",
    before: null,
    after: `package quota

import (
	"errors"
	"fmt"
	"sync"
)

var ErrUnknownTenant = errors.New("unknown tenant")

type Limiter struct {
	mu     sync.Mutex
	limits map[string]int
	used   map[string]int
}

func New(limits map[string]int) *Limiter {
	return &Limiter{limits: limits, used: make(map[string]int)}
}

func (l *Limiter) Take(tenant string, n int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	limit, ok := l.limits[tenant]
	if !ok {
		return fmt.Errorf("take %d: %w", n, ErrUnknownTenant)
	}
	if l.used[tenant]+n > limit {
		return fmt.Errorf("tenant %d is over its limit of %d", tenant, limit)
	}
	l.used[tenant] += n
	return nil
}
`,
    line: 29,
    severity: "medium",
  },
  {
    id: "third-go-defer-before-check",
    language: "go",
    kind: "response used before the error is checked",
    path: "pkg/weather/client.go",
    before: `package weather

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

type Client struct {
	BaseURL string
	HTTP    *http.Client
}

type Forecast struct {
	City    string  \`json:"city"\`
	Celsius float64 \`json:"celsius"\`
}

func (c *Client) Forecast(city string) (*Forecast, error) {
	resp, err := c.HTTP.Get(c.BaseURL + "/forecast?city=" + url.QueryEscape(city))
	if err != nil {
		return nil, fmt.Errorf("get forecast: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("get forecast: status %d", resp.StatusCode)
	}
	var f Forecast
	if err := json.NewDecoder(resp.Body).Decode(&f); err != nil {
		return nil, fmt.Errorf("decode forecast: %w", err)
	}
	return &f, nil
}
`,
    after: `package weather

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

type Client struct {
	BaseURL string
	HTTP    *http.Client
}

type Forecast struct {
	City    string  \`json:"city"\`
	Celsius float64 \`json:"celsius"\`
}

func (c *Client) Forecast(city string) (*Forecast, error) {
	resp, err := c.HTTP.Get(c.BaseURL + "/forecast?city=" + url.QueryEscape(city))
	defer resp.Body.Close()
	if err != nil {
		return nil, fmt.Errorf("get forecast: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("get forecast: status %d", resp.StatusCode)
	}
	var f Forecast
	if err := json.NewDecoder(resp.Body).Decode(&f); err != nil {
		return nil, fmt.Errorf("decode forecast: %w", err)
	}
	return &f, nil
}
`,
    line: 22,
    severity: "major",
  },
  {
    id: "third-go-waitgroup-add",
    language: "go",
    kind: "WaitGroup.Add inside the goroutine",
    path: "cmd/crawl/main.go",
    before: null,
    after: `package main

import (
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"
)

type result struct {
	url    string
	status int
	err    error
}

func check(client *http.Client, url string) result {
	resp, err := client.Head(url)
	if err != nil {
		return result{url: url, err: err}
	}
	defer resp.Body.Close()
	return result{url: url, status: resp.StatusCode}
}

func main() {
	client := &http.Client{Timeout: 10 * time.Second}
	urls := os.Args[1:]
	results := make([]result, len(urls))
	var wg sync.WaitGroup
	for i, url := range urls {
		go func(i int, url string) {
			wg.Add(1)
			defer wg.Done()
			results[i] = check(client, url)
		}(i, url)
	}
	wg.Wait()
	for _, r := range results {
		fmt.Println(r.url, r.status, r.err)
	}
}
`,
    line: 33,
    severity: "medium",
  },
  {
    id: "third-go-rows-not-closed",
    language: "go",
    kind: "rows are no longer closed",
    path: "internal/store/users.go",
    before: `package store

import (
	"context"
	"database/sql"
	"fmt"
)

type User struct {
	ID    int64
	Email string
}

type Store struct {
	db *sql.DB
}

func (s *Store) ActiveUsers(ctx context.Context) ([]User, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT id, email FROM users WHERE active")
	if err != nil {
		return nil, fmt.Errorf("query users: %w", err)
	}
	defer rows.Close()
	var users []User
	for rows.Next() {
		var u User
		if err := rows.Scan(&u.ID, &u.Email); err != nil {
			return nil, fmt.Errorf("scan user: %w", err)
		}
		users = append(users, u)
	}
	return users, rows.Err()
}
`,
    after: `package store

import (
	"context"
	"database/sql"
	"fmt"
)

type User struct {
	ID    int64
	Email string
}

type Store struct {
	db *sql.DB
}

func (s *Store) ActiveUsers(ctx context.Context, limit int) ([]User, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT id, email FROM users WHERE active LIMIT $1", limit)
	if err != nil {
		return nil, fmt.Errorf("query users: %w", err)
	}
	users := make([]User, 0, limit)
	for rows.Next() {
		var u User
		if err := rows.Scan(&u.ID, &u.Email); err != nil {
			return nil, fmt.Errorf("scan user: %w", err)
		}
		users = append(users, u)
	}
	return users, rows.Err()
}
`,
    line: 19,
    also: [23],
    severity: "medium",
  },
  {
    id: "third-go-path-traversal",
    language: "go",
    kind: "request input in a file path",
    path: "internal/web/attachments.go",
    before: null,
    after: `package web

import (
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
)

type AttachmentHandler struct {
	Dir string
	Log *slog.Logger
}

func (h *AttachmentHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("name")
	if name == "" {
		http.Error(w, "name is required", http.StatusBadRequest)
		return
	}
	f, err := os.Open(filepath.Join(h.Dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		http.NotFound(w, r)
		return
	}
	if err != nil {
		h.Log.Error("open attachment", "err", err)
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	defer f.Close()
	w.Header().Set("Content-Type", "application/octet-stream")
	if _, err := io.Copy(w, f); err != nil {
		h.Log.Warn("send attachment", "err", err)
	}
}
`,
    line: 24,
    severity: "major",
  },
  {
    id: "third-go-weak-random-token",
    language: "go",
    kind: "session token from math/rand",
    path: "internal/auth/session.go",
    before: `package auth

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"time"
)

const (
	sessionLifetime = 12 * time.Hour
	tokenLength     = 32
)

type Session struct {
	Token   string
	UserID  int64
	Expires time.Time
}

func NewSession(userID int64, now time.Time) (*Session, error) {
	token := make([]byte, tokenLength)
	if _, err := rand.Read(token); err != nil {
		return nil, fmt.Errorf("session token: %w", err)
	}
	return &Session{
		Token:   hex.EncodeToString(token),
		UserID:  userID,
		Expires: now.Add(sessionLifetime),
	}, nil
}

func (s *Session) Expired(now time.Time) bool {
	return !now.Before(s.Expires)
}
`,
    after: `package auth

import (
	"math/rand"
	"time"
)

const (
	sessionLifetime = 12 * time.Hour
	tokenLength     = 32
	tokenAlphabet   = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
)

type Session struct {
	Token   string
	UserID  int64
	Expires time.Time
}

func NewSession(userID int64, now time.Time) (*Session, error) {
	token := make([]byte, tokenLength)
	for i := range token {
		token[i] = tokenAlphabet[rand.Intn(len(tokenAlphabet))]
	}
	return &Session{
		Token:   string(token),
		UserID:  userID,
		Expires: now.Add(sessionLifetime),
	}, nil
}

func (s *Session) Expired(now time.Time) bool {
	return !now.Before(s.Expires)
}
`,
    line: 23,
    also: [4],
    severity: "major",
  },
  {
    id: "third-go-sql-sprintf",
    language: "go",
    kind: "SQL injection",
    path: "api/handlers/tickets.go",
    before: null,
    after: `package handlers

import (
	"database/sql"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"
)

type Ticket struct {
	ID      int64  \`json:"id"\`
	Subject string \`json:"subject"\`
	State   string \`json:"state"\`
}

func ListTickets(db *sql.DB) gin.HandlerFunc {
	return func(c *gin.Context) {
		state := c.DefaultQuery("state", "open")
		query := fmt.Sprintf("SELECT id, subject, state FROM tickets WHERE state = '%s' ORDER BY id", state)
		rows, err := db.QueryContext(c.Request.Context(), query)
		if err != nil {
			c.JSON(http.StatusInternalServerError, gin.H{"error": "query failed"})
			return
		}
		defer rows.Close()
		tickets := []Ticket{}
		for rows.Next() {
			var t Ticket
			if err := rows.Scan(&t.ID, &t.Subject, &t.State); err != nil {
				c.JSON(http.StatusInternalServerError, gin.H{"error": "scan failed"})
				return
			}
			tickets = append(tickets, t)
		}
		if err := rows.Err(); err != nil {
			c.JSON(http.StatusInternalServerError, gin.H{"error": "query failed"})
			return
		}
		c.JSON(http.StatusOK, tickets)
	}
}
`,
    line: 20,
    also: [21],
    severity: "major",
  },
  {
    id: "third-go-copied-lock",
    language: "go",
    kind: "value receiver copies a mutex",
    path: "internal/metrics/counter.go",
    before: `package metrics

import (
	"sort"
	"sync"
)

type CounterSet struct {
	mu     sync.Mutex
	counts map[string]int64
}

func NewCounterSet() *CounterSet {
	return &CounterSet{counts: make(map[string]int64)}
}

func (s *CounterSet) Add(name string, n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[name] += n
}

func (s *CounterSet) Names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := make([]string, 0, len(s.counts))
	for name := range s.counts {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
`,
    after: `package metrics

import (
	"sort"
	"sync"
)

type CounterSet struct {
	mu     sync.Mutex
	counts map[string]int64
}

func NewCounterSet() *CounterSet {
	return &CounterSet{counts: make(map[string]int64)}
}

func (s *CounterSet) Add(name string, n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[name] += n
}

func (s CounterSet) Get(name string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts[name]
}

func (s *CounterSet) Names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := make([]string, 0, len(s.counts))
	for name := range s.counts {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
`,
    line: 23,
    severity: "medium",
  },
];
