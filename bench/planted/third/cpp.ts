import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "third-cpp-virtual-destructor",
    language: "cpp",
    kind: "polymorphic base without a virtual destructor",
    path: "include/render/shape.hpp",
    before: null,
    after: `#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace render {

class Canvas;

class Shape {
public:
    virtual void draw(Canvas& canvas) const = 0;
    virtual double area() const = 0;
};

class Label : public Shape {
public:
    explicit Label(std::string text) : text_(std::move(text)) {}

    void draw(Canvas& canvas) const override;
    double area() const override { return 0.0; }

private:
    std::string text_;
};

class Scene {
public:
    void add(std::unique_ptr<Shape> shape) { shapes_.push_back(std::move(shape)); }

    void draw(Canvas& canvas) const {
        for (const auto& shape : shapes_) shape->draw(canvas);
    }

private:
    std::vector<std::unique_ptr<Shape>> shapes_;
};

}  // namespace render
`,
    line: 12,
    severity: "medium",
  },
  {
    id: "third-cpp-dangling-c-str",
    language: "cpp",
    kind: "pointer into a local string is returned",
    path: "src/log_name.cpp",
    before: `#include "log_name.h"

#include <chrono>
#include <ctime>
#include <iomanip>
#include <sstream>
#include <string>

namespace {

std::string timestamp(std::chrono::system_clock::time_point at) {
    const std::time_t seconds = std::chrono::system_clock::to_time_t(at);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::ostringstream out;
    out << std::put_time(&parts, "%Y%m%d-%H%M%S");
    return out.str();
}

}  // namespace

std::string logName(const std::string& service) {
    return service + "-" + timestamp(std::chrono::system_clock::now()) + ".log";
}
`,
    after: `#include "log_name.h"

#include <chrono>
#include <ctime>
#include <iomanip>
#include <sstream>
#include <string>

namespace {

std::string timestamp(std::chrono::system_clock::time_point at) {
    const std::time_t seconds = std::chrono::system_clock::to_time_t(at);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::ostringstream out;
    out << std::put_time(&parts, "%Y%m%d-%H%M%S");
    return out.str();
}

}  // namespace

const char* logName(const std::string& service) {
    std::string name = service + "-" + timestamp(std::chrono::system_clock::now()) + ".log";
    return name.c_str();
}
`,
    line: 24,
    severity: "major",
  },
  {
    id: "third-cpp-array-delete",
    language: "cpp",
    kind: "array released with delete",
    path: "src/ring_buffer.cpp",
    before: null,
    after: `#include <cstddef>
#include <stdexcept>

class RingBuffer {
public:
    explicit RingBuffer(std::size_t capacity)
        : data_(new float[capacity]), capacity_(capacity) {
        if (capacity == 0) {
            delete[] data_;
            throw std::invalid_argument("capacity must be positive");
        }
    }

    RingBuffer(const RingBuffer&) = delete;
    RingBuffer& operator=(const RingBuffer&) = delete;

    ~RingBuffer() { delete data_; }

    void push(float value) {
        data_[next_] = value;
        next_ = (next_ + 1) % capacity_;
        if (size_ < capacity_) ++size_;
    }

    std::size_t size() const { return size_; }

private:
    float* data_;
    std::size_t capacity_;
    std::size_t next_ = 0;
    std::size_t size_ = 0;
};
`,
    line: 17,
    severity: "medium",
  },
  {
    id: "third-cpp-erase-in-loop",
    language: "cpp",
    kind: "iterator used after erase",
    path: "src/session_table.cpp",
    before: `#include <chrono>
#include <map>
#include <string>

using Clock = std::chrono::steady_clock;

struct Session {
    std::string user;
    Clock::time_point lastSeen;
};

class SessionTable {
public:
    void touch(const std::string& id, const std::string& user) {
        sessions_[id] = Session{user, Clock::now()};
    }

    std::size_t expire(std::chrono::seconds age) {
        const auto limit = Clock::now() - age;
        std::size_t count = 0;
        for (auto it = sessions_.begin(); it != sessions_.end();) {
            if (it->second.lastSeen < limit) {
                it = sessions_.erase(it);
                ++count;
            } else {
                ++it;
            }
        }
        return count;
    }

private:
    std::map<std::string, Session> sessions_;
};
`,
    after: `#include <chrono>
#include <map>
#include <string>

using Clock = std::chrono::steady_clock;

struct Session {
    std::string user;
    Clock::time_point lastSeen;
};

class SessionTable {
public:
    void touch(const std::string& id, const std::string& user) {
        sessions_[id] = Session{user, Clock::now()};
    }

    std::size_t expire(std::chrono::seconds age) {
        const auto limit = Clock::now() - age;
        std::size_t count = 0;
        for (auto it = sessions_.begin(); it != sessions_.end(); ++it) {
            if (it->second.lastSeen >= limit) continue;
            sessions_.erase(it);
            ++count;
        }
        return count;
    }

private:
    std::map<std::string, Session> sessions_;
};
`,
    line: 23,
    also: [21],
    severity: "major",
  },
  {
    id: "third-cpp-popen-request",
    language: "cpp",
    kind: "request input in a shell command",
    path: "src/http/lookup_handler.cpp",
    before: null,
    after: `#include <httplib.h>

#include <array>
#include <cstdio>
#include <memory>
#include <string>

namespace {

std::string capture(const std::string& command) {
    std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    if (!pipe) return {};
    std::string output;
    std::array<char, 256> buffer{};
    while (fgets(buffer.data(), static_cast<int>(buffer.size()), pipe.get()) != nullptr) {
        output += buffer.data();
    }
    return output;
}

}  // namespace

void registerLookup(httplib::Server& server) {
    server.Get("/lookup", [](const httplib::Request& req, httplib::Response& res) {
        if (!req.has_param("host")) {
            res.status = 400;
            return;
        }
        const std::string host = req.get_param_value("host");
        res.set_content(capture("nslookup " + host), "text/plain");
    });
}
`,
    line: 30,
    also: [11],
    severity: "major",
  },
  {
    id: "third-cpp-tls-verification",
    language: "cpp",
    kind: "certificate verification disabled",
    path: "src/net/download.cpp",
    before: `#include "net/download.h"

#include <curl/curl.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace {

std::size_t append(char* data, std::size_t size, std::size_t count, void* target) {
    static_cast<std::string*>(target)->append(data, size * count);
    return size * count;
}

}  // namespace

std::string download(const std::string& url) {
    std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), curl_easy_cleanup);
    if (!curl) throw std::runtime_error("curl_easy_init failed");

    std::string body;
    curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
    curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, append);
    curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &body);
    curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT, 30L);
    curl_easy_setopt(curl.get(), CURLOPT_SSL_VERIFYPEER, 1L);

    const CURLcode code = curl_easy_perform(curl.get());
    if (code != CURLE_OK) throw std::runtime_error(curl_easy_strerror(code));
    return body;
}
`,
    after: `#include "net/download.h"

#include <curl/curl.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace {

std::size_t append(char* data, std::size_t size, std::size_t count, void* target) {
    static_cast<std::string*>(target)->append(data, size * count);
    return size * count;
}

}  // namespace

std::string download(const std::string& url) {
    std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), curl_easy_cleanup);
    if (!curl) throw std::runtime_error("curl_easy_init failed");

    std::string body;
    curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
    curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, append);
    curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &body);
    curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT, 30L);
    curl_easy_setopt(curl.get(), CURLOPT_SSL_VERIFYPEER, 0L);

    const CURLcode code = curl_easy_perform(curl.get());
    if (code != CURLE_OK) throw std::runtime_error(curl_easy_strerror(code));
    return body;
}
`,
    line: 27,
    severity: "major",
  },
  {
    id: "third-cpp-temporary-lock",
    language: "cpp",
    kind: "lock guard without a name",
    path: "src/task_queue.cpp",
    before: `#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>

class TaskQueue {
public:
    using Task = std::function<void()>;

    void push(Task task) {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            tasks_.push_back(std::move(task));
        }
        ready_.notify_one();
    }

    Task pop() {
        std::unique_lock<std::mutex> lock(mutex_);
        ready_.wait(lock, [this] { return !tasks_.empty(); });
        Task task = std::move(tasks_.front());
        tasks_.pop_front();
        return task;
    }

    std::size_t size() const {
        std::lock_guard<std::mutex> lock(mutex_);
        return tasks_.size();
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<Task> tasks_;
};
`,
    after: `#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>

class TaskQueue {
public:
    using Task = std::function<void()>;

    void push(Task task) {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            tasks_.push_back(std::move(task));
        }
        ready_.notify_one();
    }

    Task pop() {
        std::unique_lock<std::mutex> lock(mutex_);
        ready_.wait(lock, [this] { return !tasks_.empty(); });
        Task task = std::move(tasks_.front());
        tasks_.pop_front();
        return task;
    }

    std::size_t size() const {
        std::lock_guard<std::mutex> lock(mutex_);
        return tasks_.size();
    }

    void clear() {
        std::lock_guard<std::mutex>{mutex_};
        tasks_.clear();
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<Task> tasks_;
};
`,
    line: 33,
    severity: "medium",
  },
  {
    id: "third-cpp-sql-concat",
    language: "cpp",
    kind: "SQL injection",
    path: "src/store/note_store.cpp",
    before: null,
    after: `#include "store/note_store.h"

#include <sqlite3.h>

#include <stdexcept>
#include <string>

namespace {

void execute(sqlite3* db, const std::string& sql) {
    char* message = nullptr;
    if (sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &message) != SQLITE_OK) {
        const std::string text = message != nullptr ? message : "unknown error";
        sqlite3_free(message);
        throw std::runtime_error(text);
    }
}

}  // namespace

NoteStore::NoteStore(const std::string& path) {
    if (sqlite3_open(path.c_str(), &db_) != SQLITE_OK) {
        sqlite3_close(db_);
        throw std::runtime_error("cannot open " + path);
    }
}

void NoteStore::createTables() {
    execute(db_, "CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, owner TEXT, body TEXT)");
}

NoteStore::~NoteStore() { sqlite3_close(db_); }

void NoteStore::add(const std::string& owner, const std::string& body) {
    execute(db_, "INSERT INTO notes (owner, body) VALUES ('" + owner + "', '" + body + "')");
}
`,
    line: 35,
    severity: "major",
  },
];
