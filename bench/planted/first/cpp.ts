import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "cpp-erase-in-loop",
    language: "cpp",
    kind: "container changed while iterating",
    path: "src/session_manager.cpp",
    before: `#include "session_manager.h"

#include <chrono>
#include <mutex>

void SessionManager::expire(Clock::time_point now)
{
    std::lock_guard<std::mutex> lock(mutex_);
    for (auto it = sessions_.begin(); it != sessions_.end();) {
        if (it->second.expires_at < now) {
            it = sessions_.erase(it);
        } else {
            ++it;
        }
    }
}

std::size_t SessionManager::size() const
{
    std::lock_guard<std::mutex> lock(mutex_);
    return sessions_.size();
}
`,
    after: `#include "session_manager.h"

#include <chrono>
#include <mutex>

void SessionManager::expire(Clock::time_point now)
{
    std::lock_guard<std::mutex> lock(mutex_);
    for (auto it = sessions_.begin(); it != sessions_.end(); ++it) {
        if (it->second.expires_at < now) {
            sessions_.erase(it);
        }
    }
}

std::size_t SessionManager::size() const
{
    std::lock_guard<std::mutex> lock(mutex_);
    return sessions_.size();
}
`,
    line: 11,
    severity: "must-fix",
  },
  {
    id: "cpp-dangling-return",
    language: "cpp",
    kind: "reference to a local returned",
    path: "src/path_util.cpp",
    before: null,
    after: `#include "path_util.h"

#include <string>
#include <vector>

namespace util {

const std::string& join(const std::vector<std::string>& parts, char separator)
{
    std::string joined;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) {
            joined += separator;
        }
        joined += parts[i];
    }
    return joined;
}

}  // namespace util
`,
    line: 17,
    severity: "must-fix",
  },
  {
    id: "cpp-delete-array",
    language: "cpp",
    kind: "array deleted with scalar delete",
    path: "src/image.cpp",
    before: `#include "image.h"

#include <cstdint>
#include <cstring>

Image::Image(int width, int height)
    : width_(width), height_(height), pixels_(new std::uint32_t[width * height])
{
    std::memset(pixels_, 0, sizeof(std::uint32_t) * width * height);
}

Image::~Image()
{
    delete[] pixels_;
}

std::uint32_t Image::at(int x, int y) const
{
    return pixels_[y * width_ + x];
}
`,
    after: `#include "image.h"

#include <cstdint>
#include <cstring>

Image::Image(int width, int height)
    : width_(width), height_(height), pixels_(new std::uint32_t[width * height])
{
    std::memset(pixels_, 0, sizeof(std::uint32_t) * width * height);
}

Image::~Image()
{
    delete pixels_;
}

std::uint32_t Image::at(int x, int y) const
{
    return pixels_[y * width_ + x];
}
`,
    line: 14,
    also: [7],
    severity: "must-fix",
  },
  {
    id: "cpp-switch-fallthrough",
    language: "cpp",
    kind: "missing break",
    path: "src/parser/token.cpp",
    before: `#include "token.h"

#include <string>

std::string describe(Token::Kind kind)
{
    std::string text;
    switch (kind) {
    case Token::Kind::Number:
        text = "number";
        break;
    case Token::Kind::String:
        text = "string";
        break;
    case Token::Kind::Identifier:
        text = "identifier";
        break;
    case Token::Kind::End:
        text = "end of input";
        break;
    }
    return text;
}
`,
    after: `#include "token.h"

#include <string>

std::string describe(Token::Kind kind)
{
    std::string text;
    switch (kind) {
    case Token::Kind::Number:
        text = "number";
        break;
    case Token::Kind::String:
        text = "string";
    case Token::Kind::Identifier:
        text = "identifier";
        break;
    case Token::Kind::End:
        text = "end of input";
        break;
    }
    return text;
}
`,
    line: 14,
    severity: "must-fix",
  },
  {
    id: "cpp-system-input",
    language: "cpp",
    kind: "request input in shell command",
    path: "src/http/convert_handler.cpp",
    before: null,
    after: `#include "convert_handler.h"

#include <cstdlib>
#include <string>

#include "httplib.h"

void ConvertHandler::handle(const httplib::Request& req, httplib::Response& res)
{
    if (!req.has_param("file")) {
        res.status = 400;
        return;
    }
    const std::string file = req.get_param_value("file");
    const std::string command = "ffmpeg -i /srv/media/" + file + " /srv/media/out.mp4";
    if (std::system(command.c_str()) != 0) {
        res.status = 500;
        return;
    }
    res.set_content("done", "text/plain");
}
`,
    line: 16,
    also: [15],
    severity: "critical",
  },
  {
    id: "cpp-unsigned-loop",
    language: "cpp",
    kind: "unsigned loop never ends",
    path: "src/history.cpp",
    before: null,
    after: `#include "history.h"

#include <cstddef>
#include <string>
#include <vector>

std::vector<std::string> History::newest(std::size_t count) const
{
    std::vector<std::string> result;
    for (std::size_t i = entries_.size() - 1; i >= 0; --i) {
        if (result.size() == count) {
            break;
        }
        result.push_back(entries_[i]);
    }
    return result;
}

void History::add(std::string entry)
{
    entries_.push_back(std::move(entry));
}
`,
    line: 10,
    severity: "must-fix",
  },
  {
    id: "cpp-sql-concat",
    language: "cpp",
    kind: "input in SQL",
    path: "src/store/user_store.cpp",
    before: `#include "user_store.h"

#include <sqlite3.h>
#include <string>

bool UserStore::rename(const httplib::Request& req)
{
    const std::string name = req.get_param_value("name");
    const std::string id = req.get_param_value("id");
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(db_, "UPDATE users SET name = ? WHERE id = ?", -1, &statement, nullptr);
    sqlite3_bind_text(statement, 1, name.c_str(), -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(statement, 2, id.c_str(), -1, SQLITE_TRANSIENT);
    const int status = sqlite3_step(statement);
    sqlite3_finalize(statement);
    return status == SQLITE_DONE;
}
`,
    after: `#include "user_store.h"

#include <sqlite3.h>
#include <string>

bool UserStore::rename(const httplib::Request& req)
{
    const std::string name = req.get_param_value("name");
    const std::string id = req.get_param_value("id");
    const std::string sql = "UPDATE users SET name = '" + name + "' WHERE id = " + id;
    return sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
}
`,
    line: 10,
    also: [11],
    severity: "must-fix",
  },
  {
    id: "cpp-missing-virtual-destructor",
    language: "cpp",
    kind: "base class without virtual destructor",
    path: "include/shape.h",
    before: null,
    after: `#pragma once

#include <memory>
#include <vector>

class Shape {
public:
    ~Shape() = default;
    virtual double area() const = 0;
    virtual void scale(double factor) = 0;
};

class Circle : public Shape {
public:
    explicit Circle(double radius) : radius_(radius) {}
    double area() const override { return 3.14159265358979 * radius_ * radius_; }
    void scale(double factor) override { radius_ *= factor; }

private:
    double radius_;
};

inline double total_area(const std::vector<std::unique_ptr<Shape>>& shapes)
{
    double sum = 0;
    for (const auto& shape : shapes) {
        sum += shape->area();
    }
    return sum;
}
`,
    line: 6,
    also: [8],
    severity: "major",
  },
  {
    id: "cpp-duplicate-condition",
    language: "cpp",
    kind: "same condition twice in an else-if chain",
    path: "src/grade.cpp",
    before: `#include "grade.h"

char grade_of(int points)
{
    if (points >= 90) {
        return 'A';
    } else if (points >= 75) {
        return 'B';
    } else if (points >= 60) {
        return 'C';
    } else if (points >= 50) {
        return 'D';
    }
    return 'F';
}

bool has_passed(int points)
{
    return grade_of(points) != 'F';
}
`,
    after: `#include "grade.h"

char grade_of(int points)
{
    if (points >= 90) {
        return 'A';
    } else if (points >= 75) {
        return 'B';
    } else if (points >= 75) {
        return 'C';
    } else if (points >= 50) {
        return 'D';
    }
    return 'F';
}

bool has_passed(int points)
{
    return grade_of(points) != 'F';
}
`,
    line: 9,
    severity: "must-fix",
  },
];
