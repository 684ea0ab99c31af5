import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "third-java-string-identity",
    language: "java",
    kind: "strings compared with ==",
    path: "src/main/java/com/acme/billing/PlanResolver.java",
    before: null,
    after: `package com.acme.billing;

import java.util.List;
import java.util.Map;
import java.util.Objects;

public final class PlanResolver {
    private static final String DEFAULT_PLAN = "basic";

    private final Map<String, List<String>> featuresByPlan;

    public PlanResolver(Map<String, List<String>> featuresByPlan) {
        this.featuresByPlan = Map.copyOf(featuresByPlan);
    }

    public String planOf(Map<String, String> settings) {
        return Objects.requireNonNullElse(settings.get("plan"), DEFAULT_PLAN);
    }

    public boolean isUpgrade(Map<String, String> current, Map<String, String> wanted) {
        String from = planOf(current);
        String to = planOf(wanted);
        if (from == to) {
            return false;
        }
        return features(to).size() > features(from).size();
    }

    private List<String> features(String plan) {
        return featuresByPlan.getOrDefault(plan, List.of());
    }
}
`,
    line: 23,
    severity: "medium",
  },
  {
    id: "third-java-equals-without-hashcode",
    language: "java",
    kind: "equals without hashCode",
    path: "src/main/java/com/acme/geo/GridCell.java",
    before: null,
    after: `package com.acme.geo;

public final class GridCell {
    private final int row;
    private final int column;

    public GridCell(int row, int column) {
        if (row < 0 || column < 0) {
            throw new IllegalArgumentException("row and column must not be negative");
        }
        this.row = row;
        this.column = column;
    }

    public int row() {
        return row;
    }

    public int column() {
        return column;
    }

    public GridCell below() {
        return new GridCell(row + 1, column);
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof GridCell)) {
            return false;
        }
        GridCell cell = (GridCell) other;
        return row == cell.row && column == cell.column;
    }

    @Override
    public String toString() {
        return row + "/" + column;
    }
}
`,
    line: 3,
    also: [27, 28],
    severity: "medium",
  },
  {
    id: "third-java-ignored-result",
    language: "java",
    kind: "result of an immutable string's method is ignored",
    path: "src/main/java/com/acme/contacts/ContactParser.java",
    before: `package com.acme.contacts;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

public class ContactParser {
    private static final int FIELDS = 3;

    public List<Contact> parse(List<String> lines) {
        List<Contact> contacts = new ArrayList<>();
        for (String line : lines) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            contacts.add(parseLine(line));
        }
        return contacts;
    }

    private Contact parseLine(String line) {
        String[] fields = line.split(";", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("expected " + FIELDS + " fields: " + line);
        }
        String name = fields[0].trim();
        String email = fields[1].trim().toLowerCase(Locale.ROOT);
        String phone = fields[2].trim();
        return new Contact(name, email, phone);
    }
}
`,
    after: `package com.acme.contacts;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

public class ContactParser {
    private static final int FIELDS = 3;

    public List<Contact> parse(List<String> lines) {
        List<Contact> contacts = new ArrayList<>();
        for (String line : lines) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            contacts.add(parseLine(line));
        }
        return contacts;
    }

    private Contact parseLine(String line) {
        String[] fields = line.split(";", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("expected " + FIELDS + " fields: " + line);
        }
        String name = fields[0].trim();
        String email = fields[1].trim().toLowerCase(Locale.ROOT);
        String phone = fields[2].trim();
        phone.replace(" ", "");
        return new Contact(name, email, phone);
    }
}
`,
    line: 29,
    severity: "medium",
  },
  {
    id: "third-java-int-overflow",
    language: "java",
    kind: "integer overflow before widening",
    path: "src/main/java/com/acme/retention/RetentionPolicy.java",
    before: `package com.acme.retention;

import java.time.Clock;
import java.util.Optional;

public final class RetentionPolicy {
    private final int days;
    private final Clock clock;

    public RetentionPolicy(int days, Clock clock) {
        if (days < 1) {
            throw new IllegalArgumentException("days must be positive");
        }
        this.days = days;
        this.clock = clock;
    }

    public boolean isExpired(long createdMillis) {
        long retention = days * 24L * 60 * 60 * 1000;
        return createdMillis + retention < clock.millis();
    }

    public Optional<Long> expiryOf(Long createdMillis) {
        return Optional.ofNullable(createdMillis).map(created -> created + days * 24L * 60 * 60 * 1000);
    }
}
`,
    after: `package com.acme.retention;

import java.time.Clock;
import java.util.Optional;

public final class RetentionPolicy {
    private final int days;
    private final Clock clock;

    public RetentionPolicy(int days, Clock clock) {
        if (days < 1) {
            throw new IllegalArgumentException("days must be positive");
        }
        this.days = days;
        this.clock = clock;
    }

    public boolean isExpired(long createdMillis) {
        return createdMillis + retentionMillis() < clock.millis();
    }

    public Optional<Long> expiryOf(Long createdMillis) {
        return Optional.ofNullable(createdMillis).map(created -> created + retentionMillis());
    }

    private long retentionMillis() {
        return days * 24 * 60 * 60 * 1000;
    }
}
`,
    line: 27,
    severity: "medium",
  },
  {
    id: "third-java-sql-concat",
    language: "java",
    kind: "SQL injection",
    path: "src/main/java/com/acme/web/CustomerController.java",
    before: null,
    after: `package com.acme.web;

import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/customers")
public class CustomerController {
    private final JdbcTemplate jdbc;

    public CustomerController(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/{id}")
    public Map<String, Object> get(@PathVariable long id) {
        return jdbc.queryForMap("SELECT id, name, city FROM customers WHERE id = ?", id);
    }

    @GetMapping
    public List<Map<String, Object>> search(@RequestParam String city) {
        String sql = "SELECT id, name, city FROM customers WHERE city = '" + city + "' ORDER BY name";
        return jdbc.queryForList(sql);
    }
}
`,
    line: 28,
    also: [29],
    severity: "major",
  },
  {
    id: "third-java-deserialization",
    language: "java",
    kind: "deserialization of the request body",
    path: "src/main/java/com/acme/sync/ImportServlet.java",
    before: null,
    after: `package com.acme.sync;

import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.ObjectInputStream;

@WebServlet("/import")
public class ImportServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Snapshot snapshot;
        try (ObjectInputStream in = new ObjectInputStream(request.getInputStream())) {
            snapshot = (Snapshot) in.readObject();
        } catch (ClassNotFoundException e) {
            throw new ServletException("unknown class in snapshot", e);
        }
        SnapshotStore store = (SnapshotStore) getServletContext().getAttribute("store");
        int count = store.save(snapshot);
        response.setContentType("application/json");
        response.getWriter().printf("{\\"imported\\": %d}%n", count);
    }
}
`,
    line: 20,
    also: [19],
    severity: "major",
  },
  {
    id: "third-java-ecb",
    language: "java",
    kind: "cipher in ECB mode",
    path: "src/main/java/com/acme/vault/FieldCipher.java",
    before: `package com.acme.vault;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

public final class FieldCipher {
    private static final int IV_BYTES = 12;
    private static final String ALGORITHM = "AES/GCM/NoPadding";

    private final SecureRandom random = new SecureRandom();
    private final SecretKey key;

    public FieldCipher(SecretKey key) {
        this.key = key;
    }

    public String encrypt(String plain) throws GeneralSecurityException {
        byte[] iv = new byte[IV_BYTES];
        random.nextBytes(iv);
        Cipher cipher = Cipher.getInstance(ALGORITHM);
        cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, iv));
        byte[] encrypted = cipher.doFinal(plain.getBytes(StandardCharsets.UTF_8));
        byte[] joined = ByteBuffer.allocate(IV_BYTES + encrypted.length).put(iv).put(encrypted).array();
        return Base64.getEncoder().encodeToString(joined);
    }
}
`,
    after: `package com.acme.vault;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;

public final class FieldCipher {
    private final SecretKey key;

    public FieldCipher(SecretKey key) {
        this.key = key;
    }

    public String encrypt(String plain) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/ECB/PKCS5Padding");
        cipher.init(Cipher.ENCRYPT_MODE, key);
        byte[] encrypted = cipher.doFinal(plain.getBytes(StandardCharsets.UTF_8));
        return Base64.getEncoder().encodeToString(encrypted);
    }
}
`,
    line: 17,
    severity: "major",
  },
  {
    id: "third-java-unclosed-reader",
    language: "java",
    kind: "reader is never closed",
    path: "src/main/java/com/acme/load/WordList.java",
    before: `package com.acme.load;

import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;

public final class WordList {
    private final Set<String> words;

    private WordList(Set<String> words) {
        this.words = words;
    }

    public static WordList read(String file) throws IOException {
        Set<String> words = new LinkedHashSet<>();
        try (BufferedReader reader = new BufferedReader(new FileReader(file, StandardCharsets.UTF_8))) {
            String line;
            while ((line = reader.readLine()) != null) {
                words.add(line.trim());
            }
        }
        return new WordList(words);
    }

    public boolean contains(String word) {
        return words.contains(word);
    }
}
`,
    after: `package com.acme.load;

import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;

public final class WordList {
    private final Set<String> words;

    private WordList(Set<String> words) {
        this.words = words;
    }

    public static WordList read(String file) throws IOException {
        Set<String> words = new LinkedHashSet<>();
        BufferedReader reader = new BufferedReader(new FileReader(file, StandardCharsets.UTF_8));
        String line;
        while ((line = reader.readLine()) != null) {
            if (!line.isBlank()) {
                words.add(line.trim());
            }
        }
        return new WordList(words);
    }

    public boolean contains(String word) {
        return words.contains(word);
    }
}
`,
    line: 19,
    severity: "medium",
  },
];
