import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "go-ignored-error-nil-use",
    language: "go",
    kind: "value used before the error check",
    path: "internal/fetch/fetch.go",
    before: `package fetch

import (
	"encoding/json"
	"fmt"
	"net/http"
)

type Release struct {
	Tag string \`json:"tag_name"\`
}

// Latest returns the newest release of a project.
func Latest(client *http.Client, url string) (*Release, error) {
	resp, err := client.Get(url)
	if err != nil {
		return nil, fmt.Errorf("get %s: %w", url, err)
	}
	defer resp.Body.Close()
	var release Release
	if err := json.NewDecoder(resp.Body).Decode(&release); err != nil {
		return nil, err
	}
	return &release, nil
}
`,
    after: `package fetch

import (
	"encoding/json"
	"fmt"
	"net/http"
)

type Release struct {
	Tag string \`json:"tag_name"\`
}

// Latest returns the newest release of a project.
func Latest(client *http.Client, url string) (*Release, error) {
	resp, err := client.Get(url)
	defer resp.Body.Close()
	if err != nil {
		return nil, fmt.Errorf("get %s: %w", url, err)
	}
	var release Release
	if err := json.NewDecoder(resp.Body).Decode(&release); err != nil {
		return nil, err
	}
	return &release, nil
}
`,
    line: 16,
    severity: "must-fix",
  },
  {
    id: "go-sql-sprintf",
    language: "go",
    kind: "request input in SQL",
    path: "internal/api/users.go",
    before: null,
    after: `package api

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
)

type Server struct {
	db *sql.DB
}

type user struct {
	ID   int64  \`json:"id"\`
	Name string \`json:"name"\`
}

func (s *Server) SearchUsers(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("name")
	query := fmt.Sprintf("SELECT id, name FROM users WHERE name LIKE '%%%s%%'", name)
	rows, err := s.db.QueryContext(r.Context(), query)
	if err != nil {
		http.Error(w, "search failed", http.StatusInternalServerError)
		return
	}
	defer rows.Close()
	found := []user{}
	for rows.Next() {
		var u user
		if err := rows.Scan(&u.ID, &u.Name); err != nil {
			http.Error(w, "search failed", http.StatusInternalServerError)
			return
		}
		found = append(found, u)
	}
	if err := rows.Err(); err != nil {
		http.Error(w, "search failed", http.StatusInternalServerError)
		return
	}
	json.NewEncoder(w).Encode(found)
}
`,
    line: 21,
    also: [22],
    severity: "critical",
  },
  {
    id: "go-printf-args",
    language: "go",
    kind: "wrong number of format arguments",
    path: "cmd/sync/main.go",
    before: `package main

import (
	"log"
	"os"
)

func copied(from, to string) (int, error) {
	data, err := os.ReadFile(from)
	if err != nil {
		return 0, err
	}
	return len(data), os.WriteFile(to, data, 0o644)
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: sync FROM TO")
	}
	size, err := copied(os.Args[1], os.Args[2])
	if err != nil {
		log.Fatalf("sync: %v", err)
	}
	log.Printf("copied %d bytes to %s", size, os.Args[2])
}
`,
    after: `package main

import (
	"log"
	"os"
)

func copied(from, to string) (int, error) {
	data, err := os.ReadFile(from)
	if err != nil {
		return 0, err
	}
	return len(data), os.WriteFile(to, data, 0o644)
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: sync FROM TO")
	}
	size, err := copied(os.Args[1], os.Args[2])
	if err != nil {
		log.Fatalf("sync: %v", err)
	}
	log.Printf("copied %d bytes from %s to %s", size, os.Args[2])
}
`,
    line: 24,
    severity: "medium",
  },
  {
    id: "go-lock-copy",
    language: "go",
    kind: "mutex copied by a value receiver",
    path: "internal/cache/counter.go",
    before: null,
    after: `package cache

import "sync"

type Counter struct {
	mu     sync.Mutex
	counts map[string]int
}

func NewCounter() *Counter {
	return &Counter{counts: make(map[string]int)}
}

func (c Counter) Add(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[key]++
}

func (c *Counter) Get(key string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts[key]
}
`,
    line: 14,
    severity: "must-fix",
  },
  {
    id: "go-missing-return",
    language: "go",
    kind: "handler goes on after an error answer",
    path: "internal/web/upload.go",
    before: `package web

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
)

const uploads = "/var/lib/app/uploads"

func Upload(w http.ResponseWriter, r *http.Request) {
	file, header, err := r.FormFile("file")
	if err != nil {
		http.Error(w, "no file", http.StatusBadRequest)
		return
	}
	defer file.Close()
	if header.Size > 10<<20 {
		http.Error(w, "file too large", http.StatusRequestEntityTooLarge)
		return
	}
	out, err := os.Create(filepath.Join(uploads, filepath.Base(header.Filename)))
	if err != nil {
		http.Error(w, "cannot save", http.StatusInternalServerError)
		return
	}
	defer out.Close()
	if _, err := io.Copy(out, file); err != nil {
		http.Error(w, "cannot save", http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusCreated)
}
`,
    after: `package web

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
)

const uploads = "/var/lib/app/uploads"

func Upload(w http.ResponseWriter, r *http.Request) {
	file, header, err := r.FormFile("file")
	if err != nil {
		http.Error(w, "no file", http.StatusBadRequest)
		return
	}
	defer file.Close()
	if header.Size > 10<<20 {
		http.Error(w, "file too large", http.StatusRequestEntityTooLarge)
	}
	out, err := os.Create(filepath.Join(uploads, filepath.Base(header.Filename)))
	if err != nil {
		http.Error(w, "cannot save", http.StatusInternalServerError)
		return
	}
	defer out.Close()
	if _, err := io.Copy(out, file); err != nil {
		http.Error(w, "cannot save", http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusCreated)
}
`,
    line: 20,
    severity: "must-fix",
  },
  {
    id: "go-exec-shell",
    language: "go",
    kind: "request input in shell command",
    path: "internal/admin/logs.go",
    before: null,
    after: `package admin

import (
	"net/http"
	"os/exec"
)

func TailLogs(w http.ResponseWriter, r *http.Request) {
	service := r.FormValue("service")
	if service == "" {
		http.Error(w, "service is required", http.StatusBadRequest)
		return
	}
	out, err := exec.CommandContext(r.Context(), "sh", "-c", "journalctl -n 200 -u "+service).CombinedOutput()
	if err != nil {
		http.Error(w, string(out), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	w.Write(out)
}
`,
    line: 14,
    severity: "critical",
  },
  {
    id: "go-nil-map",
    language: "go",
    kind: "write to a nil map",
    path: "internal/report/totals.go",
    before: `package report

import "sort"

type Sale struct {
	Region string
	Cents  int64
}

// Totals adds up the sales of each region.
func Totals(sales []Sale) map[string]int64 {
	totals := make(map[string]int64)
	for _, sale := range sales {
		totals[sale.Region] += sale.Cents
	}
	return totals
}

func Regions(totals map[string]int64) []string {
	regions := make([]string, 0, len(totals))
	for region := range totals {
		regions = append(regions, region)
	}
	sort.Strings(regions)
	return regions
}
`,
    after: `package report

import "sort"

type Sale struct {
	Region string
	Cents  int64
}

// Totals adds up the sales of each region.
func Totals(sales []Sale) map[string]int64 {
	var totals map[string]int64
	for _, sale := range sales {
		totals[sale.Region] += sale.Cents
	}
	return totals
}

func Regions(totals map[string]int64) []string {
	regions := make([]string, 0, len(totals))
	for region := range totals {
		regions = append(regions, region)
	}
	sort.Strings(regions)
	return regions
}
`,
    line: 14,
    also: [12],
    severity: "must-fix",
  },
  {
    id: "go-waitgroup-add",
    language: "go",
    kind: "WaitGroup.Add inside the goroutine",
    path: "internal/crawl/crawl.go",
    before: null,
    after: `package crawl

import (
	"context"
	"sync"
)

type Fetcher interface {
	Fetch(ctx context.Context, url string) error
}

// All fetches every address and returns the errors.
func All(ctx context.Context, fetcher Fetcher, urls []string) []error {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	for _, url := range urls {
		go func(url string) {
			wg.Add(1)
			defer wg.Done()
			if err := fetcher.Fetch(ctx, url); err != nil {
				mu.Lock()
				errs = append(errs, err)
				mu.Unlock()
			}
		}(url)
	}
	wg.Wait()
	return errs
}
`,
    line: 19,
    severity: "major",
  },
  {
    id: "go-tls-skip",
    language: "go",
    kind: "TLS verification turned off",
    path: "pkg/client/client.go",
    before: `package client

import (
	"crypto/tls"
	"net/http"
	"time"
)

type Client struct {
	http *http.Client
	base string
}

func New(base string) *Client {
	transport := &http.Transport{
		MaxIdleConns:    10,
		IdleConnTimeout: 30 * time.Second,
		TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12},
	}
	return &Client{
		http: &http.Client{Transport: transport, Timeout: 10 * time.Second},
		base: base,
	}
}

func (c *Client) Ping() error {
	resp, err := c.http.Get(c.base + "/healthz")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
`,
    after: `package client

import (
	"crypto/tls"
	"net/http"
	"time"
)

type Client struct {
	http *http.Client
	base string
}

func New(base string) *Client {
	transport := &http.Transport{
		MaxIdleConns:    10,
		IdleConnTimeout: 30 * time.Second,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12},
	}
	return &Client{
		http: &http.Client{Transport: transport, Timeout: 10 * time.Second},
		base: base,
	}
}

func (c *Client) Ping() error {
	resp, err := c.http.Get(c.base + "/healthz")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
`,
    line: 18,
    severity: "must-fix",
  },
];
