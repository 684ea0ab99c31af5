import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "java-string-equality",
    language: "java",
    kind: "strings compared by reference",
    path: "src/main/java/com/acme/shop/CouponService.java",
    before: `package com.acme.shop;

import java.util.List;

public class CouponService {
    private final CouponRepository coupons;

    public CouponService(CouponRepository coupons) {
        this.coupons = coupons;
    }

    public int discountFor(String code, int cents) {
        List<Coupon> active = coupons.findActive();
        for (Coupon coupon : active) {
            if (coupon.getCode().equals(code)) {
                return cents * coupon.getPercent() / 100;
            }
        }
        return 0;
    }

    public boolean isWelcome(String code) {
        return "WELCOME".equals(code);
    }
}
`,
    after: `package com.acme.shop;

import java.util.List;

public class CouponService {
    private final CouponRepository coupons;

    public CouponService(CouponRepository coupons) {
        this.coupons = coupons;
    }

    public int discountFor(String code, int cents) {
        List<Coupon> active = coupons.findActive();
        for (Coupon coupon : active) {
            if (coupon.getCode() == code) {
                return cents * coupon.getPercent() / 100;
            }
        }
        return 0;
    }

    public boolean isWelcome(String code) {
        return "WELCOME".equals(code);
    }
}
`,
    line: 15,
    severity: "must-fix",
  },
  {
    id: "java-sql-concat",
    language: "java",
    kind: "request input in SQL",
    path: "src/main/java/com/acme/web/ProductServlet.java",
    before: null,
    after: `package com.acme.web;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

public class ProductServlet extends HttpServlet {
    private DataSource dataSource;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String category = request.getParameter("category");
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT name FROM products WHERE category = '" + category + "'")) {
            response.setContentType("text/plain");
            while (rows.next()) {
                response.getWriter().println(rows.getString("name"));
            }
        } catch (SQLException e) {
            response.sendError(500);
        }
    }
}
`,
    line: 22,
    also: [21],
    severity: "critical",
  },
  {
    id: "java-stream-leak",
    language: "java",
    kind: "stream never closed",
    path: "src/main/java/com/acme/io/Checksums.java",
    before: `package com.acme.io;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.zip.CRC32;

public final class Checksums {
    private Checksums() {}

    public static long crcOf(Path file) throws IOException {
        CRC32 crc = new CRC32();
        byte[] buffer = new byte[8192];
        try (InputStream in = new FileInputStream(file.toFile())) {
            int read;
            while ((read = in.read(buffer)) != -1) {
                crc.update(buffer, 0, read);
            }
        }
        return crc.getValue();
    }
}
`,
    after: `package com.acme.io;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.zip.CRC32;

public final class Checksums {
    private Checksums() {}

    public static long crcOf(Path file) throws IOException {
        CRC32 crc = new CRC32();
        byte[] buffer = new byte[8192];
        InputStream in = new FileInputStream(file.toFile());
        int read;
        while ((read = in.read(buffer)) != -1) {
            crc.update(buffer, 0, read);
        }
        return crc.getValue();
    }
}
`,
    line: 15,
    severity: "major",
  },
  {
    id: "java-equals-no-hashcode",
    language: "java",
    kind: "equals without hashCode",
    path: "src/main/java/com/acme/geo/GridCell.java",
    before: null,
    after: `package com.acme.geo;

public final class GridCell {
    private final int row;
    private final int column;

    public GridCell(int row, int column) {
        this.row = row;
        this.column = column;
    }

    public GridCell right() {
        return new GridCell(row, column + 1);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof GridCell)) {
            return false;
        }
        GridCell that = (GridCell) other;
        return row == that.row && column == that.column;
    }

    @Override
    public String toString() {
        return row + "/" + column;
    }
}
`,
    line: 17,
    also: [3],
    severity: "major",
  },
  {
    id: "java-remove-in-loop",
    language: "java",
    kind: "list changed while iterating",
    path: "src/main/java/com/acme/chat/Rooms.java",
    before: null,
    after: `package com.acme.chat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

public class Rooms {
    private final List<Room> rooms = new ArrayList<>();

    public void open(Room room) {
        rooms.add(room);
    }

    public void closeIdle(Instant limit) {
        for (Room room : rooms) {
            if (room.lastMessageAt().isBefore(limit)) {
                room.close();
                rooms.remove(room);
            }
        }
    }

    public int size() {
        return rooms.size();
    }
}
`,
    line: 18,
    severity: "must-fix",
  },
  {
    id: "java-path-traversal",
    language: "java",
    kind: "request input in a file path",
    path: "src/main/java/com/acme/web/FileController.java",
    before: `package com.acme.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class FileController {
    private static final Path ROOT = Paths.get("/srv/files");

    @GetMapping("/files")
    public ResponseEntity<byte[]> read(@RequestParam String name) throws IOException {
        Path file = ROOT.resolve(name).normalize();
        if (!file.startsWith(ROOT)) {
            return ResponseEntity.badRequest().build();
        }
        if (!Files.exists(file)) {
            return ResponseEntity.notFound().build();
        }
        return ResponseEntity.ok(Files.readAllBytes(file));
    }
}
`,
    after: `package com.acme.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class FileController {
    private static final Path ROOT = Paths.get("/srv/files");

    @GetMapping("/files")
    public ResponseEntity<byte[]> read(@RequestParam String name) throws IOException {
        Path file = ROOT.resolve(name);
        if (!Files.exists(file)) {
            return ResponseEntity.notFound().build();
        }
        return ResponseEntity.ok(Files.readAllBytes(file));
    }
}
`,
    line: 18,
    also: [19, 22],
    severity: "must-fix",
  },
  {
    id: "java-unboxed-null",
    language: "java",
    kind: "null result used without a check",
    path: "src/main/java/com/acme/config/RateLimits.java",
    before: `package com.acme.config;

import java.util.HashMap;
import java.util.Map;

public class RateLimits {
    private final Map<String, Integer> limits = new HashMap<>();

    public RateLimits() {
        limits.put("free", 60);
        limits.put("team", 600);
    }

    public void set(String plan, int perMinute) {
        limits.put(plan, perMinute);
    }

    public boolean allows(String plan, int used) {
        int limit = limits.getOrDefault(plan, 0);
        return used < limit;
    }
}
`,
    after: `package com.acme.config;

import java.util.HashMap;
import java.util.Map;

public class RateLimits {
    private final Map<String, Integer> limits = new HashMap<>();

    public RateLimits() {
        limits.put("free", 60);
        limits.put("team", 600);
    }

    public void set(String plan, int perMinute) {
        limits.put(plan, perMinute);
    }

    public boolean allows(String plan, int used) {
        int limit = limits.get(plan);
        return used < limit;
    }
}
`,
    line: 19,
    severity: "major",
  },
  {
    id: "java-ecb-cipher",
    language: "java",
    kind: "weak cipher",
    path: "src/main/java/com/acme/security/FieldCipher.java",
    before: null,
    after: `package com.acme.security;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;

public class FieldCipher {
    private final SecretKey key;

    public FieldCipher(SecretKey key) {
        this.key = key;
    }

    public String encrypt(String text) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("DES/ECB/PKCS5Padding");
        cipher.init(Cipher.ENCRYPT_MODE, key);
        byte[] sealed = cipher.doFinal(text.getBytes(StandardCharsets.UTF_8));
        return Base64.getEncoder().encodeToString(sealed);
    }
}
`,
    line: 17,
    severity: "major",
  },
  {
    id: "java-string-result-ignored",
    language: "java",
    kind: "result of a pure call ignored",
    path: "src/main/java/com/acme/text/Slugs.java",
    before: `package com.acme.text;

import java.util.Locale;

public final class Slugs {
    private Slugs() {}

    public static String slugOf(String title) {
        String slug = title.trim().toLowerCase(Locale.ROOT);
        slug = slug.replaceAll("[^a-z0-9]+", "-");
        if (slug.startsWith("-")) {
            slug = slug.substring(1);
        }
        if (slug.endsWith("-")) {
            slug = slug.substring(0, slug.length() - 1);
        }
        return slug;
    }
}
`,
    after: `package com.acme.text;

import java.util.Locale;

public final class Slugs {
    private Slugs() {}

    public static String slugOf(String title) {
        String slug = title.trim().toLowerCase(Locale.ROOT);
        slug.replaceAll("[^a-z0-9]+", "-");
        if (slug.startsWith("-")) {
            slug = slug.substring(1);
        }
        if (slug.endsWith("-")) {
            slug = slug.substring(0, slug.length() - 1);
        }
        return slug;
    }
}
`,
    line: 10,
    severity: "must-fix",
  },
];
