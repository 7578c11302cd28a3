/* rsa_key.h - a private key for tests, made for them and used for nothing else. */
#ifndef AWL_TESTS_UNIT_NET_RSA_KEY_H
#define AWL_TESTS_UNIT_NET_RSA_KEY_H

/* One line each, as `LINE(text)`: so that it can be a PEM file or a JSON string. */
#define RSA_KEY_LINES(LINE)                                                      \
	LINE("-----BEGIN PRIVATE KEY-----")                                      \
	LINE("MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQCzJt76a4C5MR4O") \
	LINE("a5JrYAmoXD3XJTXXONHaYjka/IovmNN8Q4t+wHuw4Rxk/y1BxDXZucdHUg7E68AN") \
	LINE("6juBcuvl0UiS3A01iv/gi30zqmsDjUOuv8WYq9ZXr18LfZDzVSPlg+v/wUQSxcMd") \
	LINE("wlkV6DTQTgYghNKTjKJoSz1h5dgO716rdanPADr3wExJF+cX+nKg6dTZH6i7xP2r") \
	LINE("cmvS5WO8pWE/hF9l3rVx9aPCZbGplfFWkgvVIOrQQEkiBjo3R5mCX5se5F+D/Q9y") \
	LINE("1CAy2tCWqKtOBBH6h9B5uQPl+yI1MNoWtiD9wIOCMj+sC+7bF2KL0OGaBg7EwGTi") \
	LINE("rt3lFWrvAgMBAAECggEABheByIkkSOfTKlFdGrqayXdNgQXaZVWgySjC4ViKCGFN") \
	LINE("e7G+ShKYgiS9du+4Zb6ayCsJjDLNnsOXdcGrwVSbkeaCbb/+0P3HgqarnLikR+wj") \
	LINE("S4to2C6rrLKhbD4aUjPocxL/0OQNAQhpgJcNuXF6bkTg73UkxfCnyx0X2r7akHNj") \
	LINE("mNVbkS8t1s3C3VuH9z4Z3HG0CLqEc0CA8zLOO8MmBqgos7MIMj1GNQe6FEuhDBls") \
	LINE("eqZ2Y53679jiovMtlLI2Y42XJ7GLoj50eESCnvDHd4tbSD5Woivxu8ISJ4BbwBXX") \
	LINE("B6c7xpRvjgLXtY+UWLEJmzuNiKtRjZlaDm27wa5zMQKBgQDzjkF7bRBv5013Rje0") \
	LINE("XBwmzw13gtKzeLwtpySehaXpXKM+528VM7YoyL3hssL0lj5qm5HK2dsKB8xXEzGo") \
	LINE("YZ64fCPObUbbBVw/8nZiEjUR3qcugeg1qnnUYfG1MGfIXhT/cSfgcnL2Bw99hhrP") \
	LINE("f4fTQttD35WkokF8ruOzzJLOUQKBgQC8TjQT5iFNRw9yCElxxODedAAJMtsJ2d8I") \
	LINE("OaJbrp5VAWMa82zk9Z9WO4TxGZseD8i6IPWuRsLbOzvjX2/SAcutL1yD4zfuFuKq") \
	LINE("xezyoZtNTKzJaGIQSu8JZStudstwTg1PIZdHK8J6/f2g2GzaoYiEoMNxPvcF6lUh") \
	LINE("x7hNt4gVPwKBgC7t9kgmF8i4NQEKkqk6JmKD+wBQQPE8DmZtkmzJK9LverUgOxNG") \
	LINE("x47MP2pB27btTFGWcF055S7lmcYdeLANP1wk73FTNRf2zHO18IGtKHStBmG7vla4") \
	LINE("5oi55q0XCqhdGIav8xMYenZVnfJ96KSa2j0m4MEPT/JNIXk46b83aAJBAoGATC0W") \
	LINE("xDYEos5sYSUZEP0kOtmSaiY4lfOdViZ6l7w8MQcuoGh5VOZIXwoU7bP+HFsmSKWs") \
	LINE("vaPCkA2WXJTvF3XCf3z5YCE7LwXzDEKlaEIYIV0zSQcBJLYrnRFgUH+eLQBmQezE") \
	LINE("1fXN5xN41ui2oHtYTs76QYXHSI1TgybYWBg25OECgYBlNNHgav8dojOEiMkBt7Yx") \
	LINE("5m/9Onx+1/a/SR0cDW8pU0S4AOR6aWaAkjyWZ1+pbbeS/GzIPtpc6MmYvU3vnauH") \
	LINE("fUEoZoU8eL0bnWpS4DAcWqww64FLHsY3BIYOs0vDKBK3bwE3ysnslcdpzT3VadcO") \
	LINE("ptaLWmSwgp88tyiOCYjpSg==")                                         \
	LINE("-----END PRIVATE KEY-----")

#define RSA_KEY_LINE(text)      text "\n"
#define RSA_KEY_JSON_LINE(text) text "\\n"

#define RSA_KEY_PEM  RSA_KEY_LINES(RSA_KEY_LINE)
#define RSA_KEY_JSON RSA_KEY_LINES(RSA_KEY_JSON_LINE)

#endif
